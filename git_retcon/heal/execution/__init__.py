"""Jobs of workflows run on this machine: their steps, environment, output and files."""
