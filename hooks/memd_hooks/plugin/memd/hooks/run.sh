# Runs memd's hook client, if memd is installed; says nothing and ends with 0 whatever happens.
# Where Claude Code's user settings have the hook as well, that one runs and this one stands down.
settings="${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json"
grep -q 'memd-hook.* claude_code' "$settings" 2>/dev/null && exit 0
for data in "$MEMD_DATA_DIR" "${XDG_DATA_HOME:-$HOME/.local/share}/memd" "$HOME/Library/Application Support/memd"; do
    shim="$data/bin/memd-hook"
    [ -n "$data" ] && [ -r "$shim" ] || continue
    # Its first line names the interpreter that it was installed for.
    IFS= read -r first <"$shim"
    "${first#\#!}" -I -S "$shim" claude_code 2>/dev/null
    exit 0
done
exit 0
