"""Completion scripts for bash, zsh and fish, made from the options that click knows."""
