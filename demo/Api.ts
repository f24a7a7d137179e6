// The demo's API under `/api`: the contract from which its server, its clients and its document are made.
import { HttpApi } from "@effect/platform"
import * as AccountsApi from "../routes/auth/AccountsApi.ts"
import * as ArticlesApi from "./articles/Api.ts"

export const DemoApi = HttpApi.make("demo").add(AccountsApi.group).add(ArticlesApi.group).prefix("/api")
