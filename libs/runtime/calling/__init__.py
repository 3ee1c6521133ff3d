"""Calls to other processes of the suite, and of stages in this one."""
