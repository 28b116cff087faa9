# Runs memd's MCP server, if memd is installed.
# Where Claude Code has the server from `memd install` as well, that one runs and this one stands down.
grep -q 'memd-mcp' "${CLAUDE_CONFIG_DIR:-$HOME}/.claude.json" 2>/dev/null && exit 0
for data in "$MEMD_DATA_DIR" "${XDG_DATA_HOME:-$HOME/.local/share}/memd" "$HOME/Library/Application Support/memd"; do
    pump="$data/bin/memd-mcp"
    [ -n "$data" ] && [ -r "$pump" ] && [ -r "$data/bin/memd-hook" ] || continue
    # The hook client beside it names in its first line the interpreter that both were installed for.
    IFS= read -r first <"$data/bin/memd-hook"
    exec "${first#\#!}" -I -S "$pump"
done
echo "memd: there is no memd here; \`memd install\` sets it up." >&2
exit 1
