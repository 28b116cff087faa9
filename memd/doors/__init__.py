"""Thin ways in: socket, spool, command line and MCP."""

from __future__ import annotations
