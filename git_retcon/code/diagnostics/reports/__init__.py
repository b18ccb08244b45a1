"""Reports that tools write for programs: the surest source, where a step makes one."""
