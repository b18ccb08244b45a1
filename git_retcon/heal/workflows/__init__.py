"""GitHub workflows as this machine reads them: what would start, in which jobs, with which steps.

Nothing is run here and git is not asked: files, names and results go in, values come out.
"""
