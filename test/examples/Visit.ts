// People in the shop, in a real browser: an admin, customers with and without scripts, and one who reads German.
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { fileURLToPath } from "node:url"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll } from "vitest"
import { violations } from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import { parseMail } from "../support/Mime.ts"
import type { Running } from "./Shop.ts"

const screenshots = fileURLToPath(new URL("../browser/screenshots/", import.meta.url))

const password = "a quiet harbour"

/**
 * The tests of a visit, in the order in which they happen. The pages are the same whatever the database and the number of
 * workers: one visit keeps pictures of them and asks axe.
 */
export const describeVisit = (shop: () => Running, isLookedAt: boolean): void =>
  Browser.describeBrowser("in a browser", () => {
    const shoot = async (page: Page, name: string) => (isLookedAt ? keep(page, name) : undefined)

    /** Axe is a script, so it is not asked where there are none. */
    const look = async (page: Page, name: string) => {
      await shoot(page, name)
      if (isLookedAt) expect(await Effect.runPromise(violations(page))).toEqual([])
    }

    const scope = Effect.runSync(Scope.make())
    const complaints: Array<ReadonlyArray<string>> = []
    let admin: Page
    let customer: Page
    let plain: Page
    let german: Page

    const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
      const watching = Effect.flatMap(Browser.launch, (browser) =>
        Browser.watch(browser, { baseURL: shop().url, ...options })
      )
      const watched = await Effect.runPromise(Scope.extend(watching, scope))
      complaints.push(watched.complaints)
      return watched.page
    }

    beforeAll(async () => {
      admin = await open()
      customer = await open()
      plain = await open({ javaScriptEnabled: false })
      german = await open({ locale: "de-DE" })
    })

    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

    it("shows the administration to the user whom the command made an admin", async () => {
      await admin.goto("/register")
      await shoot(admin, "sign-up")
      await register(admin, "Ada")
      await admin.getByRole("navigation").getByRole("link", { name: "Ada" }).waitFor()
      expect((await admin.goto("/admin"))?.status()).toBe(403)
      await look(admin, "403")
      expect(await shop().command("promote", "ada@example.com")).toBe("ada@example.com is an admin\n")
      await admin.reload()
      await Browser.navigate(admin, () => admin.getByRole("link", { name: "Administration" }).click())
      await admin.goto("/account")
      expect(await admin.getByRole("main").innerText()).toMatch(/Display name\s+Ada\s[^]*Role\s+Admin/)
      await look(admin, "account")
    })

    it("takes a product with its picture, and shows the form again without one", async () => {
      const picture = await teapot(await open())
      await fill(admin, "Blue teapot", Buffer.from("GIF89a"))
      await submit(admin, "Add the product")
      await admin.getByRole("alert").getByText("The file is not one of").waitFor()
      expect(await admin.getByLabel("Name").inputValue()).toBe("Blue teapot")
      await look(admin, "admin")
      for (const name of ["Blue teapot", "Green teapot"]) {
        await fill(admin, name, picture)
        await submit(admin, "Add the product")
        await admin.getByText("The product can be ordered.").waitFor()
        const image = admin.getByRole("img", { name: `A picture of ${name}` })
        expect(await image.evaluate((node) => Reflect.get(node, "naturalWidth"))).toBe(480)
      }
    })

    it("lists the products, a page at a time", async () => {
      await customer.goto("/")
      await look(customer, "products")
      await customer.goto("/?limit=1")
      await Browser.navigate(customer, () => customer.getByRole("link", { name: "Older" }).click())
      await Browser.navigate(customer, () => customer.getByRole("link", { name: "Blue teapot" }).click())
      expect(new URL(customer.url()).pathname).toBe("/products/1")
      await look(customer, "product")
    })

    it("takes an order by fetch, without leaving the page", async () => {
      await register(customer, "Cleo")
      await customer.goto("/products/1")
      await customer.getByRole("button", { name: "Order" }).click()
      await customer.getByRole("status").getByText("Thank you for ordering 1 × Blue teapot.").waitFor()
      expect(new URL(customer.url()).pathname).toBe("/products/1")
    })

    it("takes an order by a form, without scripts", async () => {
      await register(plain, "Dora")
      await plain.goto("/products/1")
      await submit(plain, "Order")
      expect(new URL(plain.url()).pathname).toBe("/orders")
      expect(await plain.getByRole("main").innerText()).toMatch(/Thank you [^]*1 × Blue teapot[^]*€12.50/)
      await shoot(plain, "orders")
    })

    it("answers an order of more than there are with 409, in the form", async () => {
      await plain.goto("/products/1")
      await plain.getByLabel("Quantity").fill("9")
      const answered = plain.waitForResponse((response) => response.request().method() === "POST")
      await submit(plain, "Order")
      expect((await answered).status()).toBe(409)
      await plain.getByRole("alert").getByText("There are not so many left.").waitFor()
      expect(await plain.getByLabel("Quantity").inputValue()).toBe("9")
      await shoot(plain, "409")
    })

    it("is German for a reader of German", async () => {
      await register(german, "Emil", inGerman)
      await german.goto("/products/1")
      await look(german, "german")
      await german.getByRole("button", { name: "Bestellen" }).click()
      await german.getByText("Danke! Sie haben 1 × Blue teapot bestellt.").waitFor()
      await german.goto("/products/999")
      await german.getByRole("heading", { name: "Dieses Produkt gibt es nicht." }).waitFor()
    })

    it("sells the last piece to one of two who order it at the same moment", async () => {
      const pages = [admin, customer]
      for (const page of pages) await page.goto("/products/1")
      await Promise.all(pages.map((page) => page.getByRole("button", { name: "Order" }).click()))
      const notices = await Promise.all(pages.map((page) => page.locator("main > .notice").innerText()))
      expect(notices.sort()).toEqual([
        "Thank you for ordering 1 × Blue teapot. We confirm it by e-mail.",
        "There are not so many left."
      ])
      await customer.goto("/products/1")
      await customer.getByText("sold out").waitFor()
      expect(await customer.getByRole("button", { name: "Order" }).count()).toBe(0)
    })

    it.each(["/products/999", "/products/x", "/products/99999999999", "/nowhere"])(
      "answers %s with a 404 page in the layout",
      async (path) => {
        expect((await customer.goto(path))?.status()).toBe(404)
        await customer.getByRole("navigation").getByRole("link", { name: "My orders" }).waitFor()
        await look(customer, "404")
      }
    )

    it("shows the jobs to the admin, with the queue that the e-mails wait in", async () => {
      expect((await customer.goto("/admin/jobs"))?.status()).toBe(403)
      await admin.goto("/")
      await Browser.navigate(admin, () => admin.getByRole("link", { name: "Jobs" }).click())
      const mail = admin.getByRole("listitem").filter({ hasText: "mail" })
      await Browser.navigate(admin, () => mail.getByRole("button", { name: "Pause" }).click())
      await admin.getByText("No job of this queue is started.").waitFor()
      await look(admin, "paused")
      await submit(admin, "Resume")
      await Browser.navigate(admin, () => admin.getByRole("link", { name: "Ready" }).click())
      await look(admin, "jobs")
      await Browser.navigate(admin, () => admin.getByRole("main").getByRole("link", { name: "mail" }).first().click())
      await admin.getByText("••••••••").waitFor()
      await look(admin, "job")
    })

    it("has confirmed the orders through the queue, in the language of the customer", async () => {
      expect(await shop().command("queue", "list")).toMatch(/^ready 8\n/)
      await shop().command("queue", "run", "mail", "--once")
      const mails = shop().mails.received.map(({ raw }) => parseMail(raw))
      const confirmations = mails.filter(({ text }) => text.includes("Blue teapot"))
      expect(confirmations).toHaveLength(4)
      const to = (address: string) => confirmations.find(({ header }) => header("to") === address)
      expect(to("dora@example.com")?.text).toBe("Hello Dora, thank you for ordering 1 × Blue teapot for €12.50.\n")
      expect(to("emil@example.com")?.header("subject")).toBe("Ihre Bestellung: Blue teapot")
      expect(to("emil@example.com")?.text).toMatch(
        /^Guten Tag Emil, vielen Dank für Ihre Bestellung: 1 × Blue teapot für 12,50\s€\.\n$/
      )
    })

    it("counts the orders of all workers, and the stock", async () => {
      const metrics = async () => (await fetch(`${shop().url}/metrics`)).text()
      await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^shop_orders_total 4$/m)
      await expect.poll(metrics, { timeout: 60_000 }).toMatch(/^shop_stock 4$/m)
    })

    it("shows the report of its job", async () => {
      await admin.goto("/admin")
      expect(await admin.getByText("0 orders so far, 0 pieces in stock").count()).toBe(1)
    })

    it("made no page complain", () => {
      expect(complaints.flat().filter((line) => !line.startsWith("Failed to load resource"))).toEqual([])
    })
  })

const submit = (page: Page, name: string) =>
  Browser.navigate(page, () => page.getByRole("main").getByRole("button", { name }).click())

const english = ["Display name", "E-mail", "Password", "Password, once more", "Create account"] as const
const inGerman = ["Anzeigename", "E-Mail-Adresse", "Passwort", "Passwort wiederholen", "Konto anlegen"] as const

const register = async (page: Page, name: string, labels: typeof english | typeof inGerman = english) => {
  const [displayName, email, secret, again, button] = labels
  await page.goto("/register")
  await page.getByLabel(displayName, { exact: true }).fill(name)
  await page.getByLabel(email, { exact: true }).fill(`${name.toLowerCase()}@example.com`)
  await page.getByLabel(secret, { exact: true }).fill(password)
  await page.getByLabel(again, { exact: true }).fill(password)
  await submit(page, button)
}

/** Keeps a picture for a person to look at. */
const keep = (page: Page, name: string) => page.screenshot({ path: `${screenshots}shop-${name}.png`, fullPage: true })

const fill = async (page: Page, name: string, picture: Buffer) => {
  await page.goto("/admin")
  await page.getByLabel("Name").fill(name)
  await page.getByLabel("Price in euros").fill("12.50")
  await page.getByLabel("Pieces in stock").fill("4")
  await page.getByLabel("Picture").setInputFiles({ name: "teapot.png", mimeType: "image/png", buffer: picture })
}

/** A picture that the browser draws. */
const teapot = async (page: Page): Promise<Buffer> => {
  await page.setViewportSize({ width: 480, height: 320 })
  await page.setContent(`<body style="margin:0;background:#dfe7fb"><svg viewBox="0 0 480 320"><g fill="#2f4fd0">
    <ellipse cx="230" cy="190" rx="110" ry="85"/><path d="M330 170 q60 -20 80 -70 l20 10 q-20 90 -95 110z"/>
    <circle cx="230" cy="92" r="16"/><rect x="170" y="104" width="120" height="14" rx="7"/></g>
    <path d="M130 150 q-70 0 -60 50 q10 40 70 30" fill="none" stroke="#2f4fd0" stroke-width="20"/></svg></body>`)
  return page.screenshot()
}
