// Written by memd. `memd install` writes this file anew and `memd uninstall` removes it; what is edited here is lost.
//
// It tells memd's daemon of the turning points of a session and adds what the daemon has to say to the system text, the
// same bytes at every request of a session, so that a provider's prompt cache holds. It waits for the daemon a quarter
// of a second at the most, starts nothing, and is silent about all trouble: OpenCode works as if it were not there.

import fs from "node:fs"
import net from "node:net"

const HOST = ""
const SOCKET = ""
const SPOOL = ""

const DEADLINE_MS = 250
const PROMPT_LIMIT = 200_000
const ANSWER_LIMIT = 256 * 1024
const SPOOL_LIMIT = 8 * 1024 * 1024
const LINE_LIMIT = 4096
const NOTE =
  "The background that memd put into the system text stays there after the compaction; it need not be in the summary."

export const Memd = async ({ directory } = {}) => {
  // A model that memd itself calls must not be observed, or every observation would start the next one.
  if (process.env.MEMD_INTERNAL !== undefined) return {}
  const sessions = new Map()

  const session = (id) => {
    if (!sessions.has(id)) sessions.set(id, { cwd: directory, child: false, isNew: false, told: undefined, asked: false })
    return sessions.get(id)
  }
  const event = (id, name, more = {}) => ({ hook_event_name: name, session_id: id, cwd: session(id).cwd, ...more })

  // What the session is told at its start: asked for once, kept for its life.
  const start = (id) => {
    const state = session(id)
    state.told ??= ask(event(id, "SessionStart", { source: state.isNew ? "startup" : "resume" })).then((answer) => {
      state.reached = answer !== undefined
      return answer ? [answer] : []
    })
    return state.told
  }

  return guarded({
    event: async ({ event: happened }) => {
      const { type, properties = {} } = happened ?? {}
      const id = properties.sessionID ?? properties.info?.id
      if (typeof id !== "string") return
      if (type === "session.created") {
        const { parentID, directory: cwd } = properties.info ?? {}
        Object.assign(session(id), { child: Boolean(parentID), isNew: true }, cwd ? { cwd } : {})
      } else if (type === "session.idle" && !session(id).child) {
        await tell(event(id, "Stop"))
      } else if (type === "session.compacted" && !session(id).child) {
        await tell(event(id, "PostCompact"))
      } else if (type === "session.deleted") {
        if (!session(id).child) await tell(event(id, "SessionEnd", { reason: "deleted" }))
        sessions.delete(id)
      }
    },

    "chat.message": async ({ sessionID: id }, { parts } = {}) => {
      const state = session(id)
      // A subagent is told what it needs by the session that started it.
      if (state.child) return
      const told = await start(id)
      if (state.asked || !state.reached) return
      state.asked = true
      const texts = (parts ?? []).filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      const prompt = texts.join("\n").slice(0, PROMPT_LIMIT)
      const answer = await ask(event(id, "UserPromptSubmit", { prompt }))
      if (answer) told.push(answer)
    },

    "experimental.chat.system.transform": async ({ sessionID: id }, { system }) => {
      if (!id || session(id).child) return
      const text = (await start(id)).join("\n\n")
      if (!text) return
      // One block more than there was would be refused by some providers, so it goes into the first.
      if (system.length > 0) system[0] = `${system[0]}\n\n${text}`
      else system.push(text)
    },

    "experimental.session.compacting": async ({ sessionID: id }, { context }) => {
      const state = session(id)
      if (state.child) return
      const answer = await ask(event(id, "PreCompact"))
      if (answer) context.push(answer)
      if (state.told && (await state.told).length > 0) context.push(NOTE)
    },

    dispose: async () => {
      const begun = [...sessions].filter(([, state]) => state.told && !state.child)
      await Promise.all(begun.map(([id]) => tell(event(id, "SessionEnd", { reason: "exit" }))))
    },
  })
}

// The same hooks, of which none ever throws.
function guarded(hooks) {
  const quiet = (hook) => async (...given) => {
    try {
      await hook(...given)
    } catch {}
  }
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, quiet(hook)]))
}

// The daemon's text for an event: "" when it has none, undefined when it was not reached in time.
async function ask(event) {
  const answer = await send(event, true)
  if (answer === undefined) {
    spool(event)
    return undefined
  }
  try {
    const { context } = JSON.parse(answer)
    return typeof context === "string" ? context : ""
  } catch {
    return ""
  }
}

// Hand an event over; nobody needs its answer.
async function tell(event) {
  if ((await send(event, false)) === undefined) spool(event)
}

// A header line and the event's bytes, as memd's hook client sends them. An answer is whole when it ends with a newline.
function send(event, answered) {
  return new Promise((resolve) => {
    let socket
    let answer = Buffer.alloc(0)
    const finish = (result) => {
      clearTimeout(timer)
      socket?.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => finish(undefined), DEADLINE_MS)
    try {
      // A socket that another user has put there is no daemon of ours, and is told nothing.
      if (fs.statSync(SOCKET).uid !== process.getuid()) return finish(undefined)
      const body = Buffer.from(JSON.stringify(event))
      const head = { op: "hook", host: HOST, event: event.hook_event_name, env: "", bytes: body.length }
      socket = net.connect({ path: SOCKET })
      socket.on("error", () => finish(undefined))
      socket.on("connect", () => {
        const whole = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
        socket.write(whole, () => {
          if (!answered) finish("")
        })
      })
      socket.on("data", (chunk) => {
        answer = Buffer.concat([answer, chunk])
        if (answer.length > ANSWER_LIMIT) finish("")
        else if (answer[answer.length - 1] === 10) finish(answer.toString())
      })
      socket.on("end", () => finish(""))
    } catch {
      finish(undefined)
    }
  })
}

// One line that says which session moved, never what was said in it, for the daemon's next start.
function spool({ hook_event_name: event, session_id, cwd, source, reason }) {
  try {
    const line = `${JSON.stringify({ host: HOST, event, session_id, cwd, source, reason, pid: process.pid, at_ms: Date.now() })}\n`
    const file = `${SPOOL}/events.ndjson`
    fs.mkdirSync(SPOOL, { recursive: true, mode: 0o700 })
    const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (Buffer.byteLength(line) <= LINE_LIMIT && size < SPOOL_LIMIT) fs.appendFileSync(file, line, { mode: 0o600 })
  } catch {}
}
