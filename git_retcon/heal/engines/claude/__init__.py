"""The Claude engine: a model reads, edits and runs the step, through tools that bound all three."""
