import { describe, expect, it, vi } from "@effect/vitest"
import * as Http from "node:http"
import * as Https from "node:https"
import type { AddressInfo } from "node:net"
import * as GuardedFetch from "../../../layers/auth/internal/providers/GuardedFetch.ts"
import { selfSigned } from "../../support/Certificate.ts"

describe("GuardedFetch", () => {
  it.each<readonly [string, boolean, boolean, boolean]>([
    ["8.8.8.8", true, true, true],
    ["2606:4700::1", true, true, true],
    ["10.0.0.1", false, true, true],
    ["172.16.0.1", false, true, true],
    ["192.168.1.1", false, true, true],
    ["100.64.0.1", false, true, true],
    ["fc00::1", false, true, true],
    ["::ffff:10.0.0.1", false, true, true],
    ["fec0::1", false, true, true],
    ["::a00:1", false, true, true],
    ["127.0.0.1", false, false, true],
    ["::1", false, false, true],
    ["::ffff:127.0.0.1", false, false, true],
    // The unspecified address is this machine as well.
    ["0.0.0.0", false, false, true],
    ["0.1.2.3", false, false, true],
    ["::", false, false, true],
    ["::ffff:0.0.0.0", false, false, true],
    // Where machines in a cloud read their credentials: never.
    ["169.254.169.254", false, false, false],
    ["fe80::1", false, false, false],
    ["fd00:ec2::254", false, false, false],
    // Translated to an address that nobody has checked, such as those.
    ["64:ff9b::a9fe:a9fe", false, false, false],
    ["64:ff9b:1::a00:1", false, false, false],
    ["2002:7f00:1::", false, false, false],
    ["2001:0:a00:1::", false, false, false],
    ["not an address", false, false, false]
  ])("reaches %s on a public, private and loopback network: %s, %s, %s", (address, ...expected) => {
    const networks = ["public", "private", "loopback"] as const
    expect(networks.map((network) => GuardedFetch.isAllowed(address, network))).toEqual(expected)
  })

  it.each<readonly [string, boolean, boolean]>([
    ["https://id.example.com/token", true, true],
    ["http://id.example.com/token", false, false],
    ["http://localhost:8080/token", false, true],
    ["http://127.0.0.1:8080/token", false, true],
    ["http://[::1]:8080/token", false, true],
    ["http://10.0.0.1/token", false, false],
    ["https://10.0.0.1/token", false, true],
    ["https://user:secret@id.example.com/", false, false],
    ["javascript:alert(1)", false, false],
    ["file:///etc/passwd", false, false],
    ["https://0x7f000001/", false, true],
    ["https://169.254.169.254/latest", false, false]
  ])("accepts %s on a public and a loopback network: %s, %s", (url, ...expected) => {
    const networks = ["public", "loopback"] as const
    expect(networks.map((network) => GuardedFetch.isAcceptable(new URL(url), network))).toEqual(expected)
  })

  it("refuses a name that leads to this machine", async () => {
    const fetch = GuardedFetch.make("public")
    const request = fetch("https://localhost:1/", { method: "GET", headers: {} })
    await expect(request).rejects.toThrow("its address is not allowed")
  })

  it("makes a connection of its own where the program, or a provider of another network, keeps one open", async () => {
    const certificate = selfSigned("localhost")
    let connections = 0
    const server = Https.createServer(certificate, (_request, response) => response.end("of our own network"))
    server.on("secureConnection", () => connections++)
    await new Promise<void>((resolve) => server.listen(0, "localhost", resolve))
    // A boundary: a server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo
    const url = `https://localhost:${port}/`
    const get = () =>
      new Promise<void>((resolve, reject) => {
        Https.get(url, (response) => response.resume().on("close", resolve)).on("error", reject)
      })
    const { options } = Https.globalAgent
    Https.globalAgent.options = { ...options, ca: certificate.cert }
    try {
      await get()
      await get()
      // It is kept open between the requests.
      expect(connections).toBe(1)
      const request = GuardedFetch.make("public")(url, { method: "GET", headers: {} })
      await expect(request).rejects.toThrow("its address is not allowed")
    } finally {
      Https.globalAgent.options = options
      Https.globalAgent.destroy()
      server.close()
    }
  })

  it("ends a response that comes byte by byte five seconds after its request", async () => {
    let ended: () => void = () => undefined
    const isClosed = new Promise<void>((resolve) => (ended = resolve))
    let began: () => void = () => undefined
    const hasBegun = new Promise<void>((resolve) => (began = resolve))
    const server = Http.createServer((_request, response) => {
      response.writeHead(200).write("{", began)
      // A pause between two bytes never reaches the limit.
      const drip = setInterval(() => response.write(" "), 10)
      response.on("close", () => {
        clearInterval(drip)
        ended()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    // A boundary: a server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo
    // Only the limit of the request stands on the clock of the test: the bytes come in real time.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const request = GuardedFetch.make("loopback")(`http://127.0.0.1:${port}/`, { method: "GET", headers: {} })
    const outcome = expect(request).rejects.toThrow(GuardedFetch.FetchRefused)
    try {
      await hasBegun
      vi.advanceTimersByTime(4_999)
      expect(vi.getTimerCount()).toBe(1)
      vi.advanceTimersByTime(1)
      await outcome
      await isClosed
    } finally {
      vi.useRealTimers()
      server.close()
    }
  })
})
