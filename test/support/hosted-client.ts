import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { HEAD_START_MS } from '../../src/messaging/store/sms-messages.repository.js';
import { Database, DuePoller } from '../../src/platform/index.js';
import { eventually, eventuallyFound } from './eventually.js';
import { HostedClient, type HostedClientOptions, type HostedPage } from './hosted-browser.js';
import { loanRequest, type LoanRequestOptions } from './loan-requests.js';
import { partnerClient } from './partner-client.js';
import type { TestService } from './service.js';

export {
  formOf,
  HostedClient,
  type HostedClientOptions,
  type HostedPage,
  plain,
} from './hosted-browser.js';

const SMS_MS = 20_000;

/** A mobile number that no other test uses. */
export function newMobile(): string {
  return `9${String(randomInt(10 ** 9)).padStart(9, '0')}`;
}

export interface HostedStart {
  readonly id: string;
  readonly mobile: string;
  readonly link: string;
}

/** Starts a hosted journey as a partner, with all details by default. */
export async function startHosted(
  service: TestService,
  options: LoanRequestOptions = {},
): Promise<HostedStart> {
  const mobile = options.mobile ?? newMobile();
  const body = loanRequest({ ...options, channel: 'API_HOSTED', mobile });
  const { status, json } = await partnerClient(service).initiate(body);
  expect([status, json.error]).toEqual([200, undefined]);
  const { journeyId, hostedUrl } = json.data;
  return { id: journeyId, mobile, link: new URL(hostedUrl).pathname };
}

interface InboxMessage {
  readonly id: string;
  readonly kind: string;
  readonly text: string;
}

/** The messages on the applicant's phone, newest first. */
export async function messagesTo(service: TestService, mobile: string): Promise<InboxMessage[]> {
  const response = await fetch(`${service.baseUrl}/sandbox/inbox.json?mobile=${mobile}`);
  const { data } = (await response.json()) as { data: { messages: InboxMessage[] } };
  return data.messages;
}

/** The code in the newest SMS; with `not`, waits for a newer code than that. */
export function codeFor(service: TestService, mobile: string, not?: string): Promise<string> {
  return findInMessages(service, mobile, /(?:^|\D)(\d{6})(?:\D|$)/, 'ONE_TIME_CODE', not);
}

/** The path of the link in the newest SMS. */
export async function linkFor(service: TestService, mobile: string, not?: string): Promise<string> {
  await passHeadStart(service);
  return findInMessages(service, mobile, /(\/hosted\/start\/[\w-]+)/, 'HOSTED_LINK', not);
}

/**
 * Lets queued messages be sent at once. For the first seconds only the replica that queued a message sends it. A
 * requested link is queued at the service's next check.
 */
export async function passHeadStart(service: TestService): Promise<void> {
  const poller = service.get<DuePoller>(DuePoller);
  const waiting = 'SELECT 1 FROM link_requests WHERE due_at <= app_now()';
  await eventually(async () => {
    poller.lookNow();
    return (await service.get<Database>(Database).query(waiting)).length === 0;
  });
  await service.travel(HEAD_START_MS);
}

function findInMessages(
  service: TestService,
  mobile: string,
  pattern: RegExp,
  kind: string,
  not?: string,
): Promise<string> {
  return eventuallyFound(
    async () => {
      const newest = (await messagesTo(service, mobile)).find((message) => message.kind === kind);
      const found = newest && pattern.exec(newest.text)?.[1];
      return found === not ? null : found;
    },
    { withinMs: SMS_MS },
  );
}

/** Requests a fresh link in a browser without a session; returns the response page. */
export async function askForLink(
  { baseUrl }: { readonly baseUrl: string },
  mobile: string,
  options: HostedClientOptions = {},
): Promise<HostedPage> {
  const client = new HostedClient(baseUrl, options);
  await client.open('/hosted/link');
  return client.send303({ mobile });
}

/** Presses the link's button, which leads to the code's page. */
export async function atCode(
  service: TestService,
  start: HostedStart,
  options: HostedClientOptions = {},
): Promise<HostedClient> {
  const client = new HostedClient(service.baseUrl, options);
  await client.open(start.link);
  const page = await client.send303();
  expect([page.path, page.status]).toEqual(['/hosted/code', 200]);
  return client;
}

/** Signs in with the code from the SMS; the client is then on the journey's page. */
export async function signedIn(
  service: TestService,
  start: HostedStart,
  options: HostedClientOptions = {},
): Promise<HostedClient> {
  const client = await atCode(service, start, options);
  const page = await client.send303({ code: await codeFor(service, start.mobile) });
  expect(page.status).toBe(200);
  return client;
}

/** Agrees, and confirms the partner's details; then the lenders are asked. */
export async function confirmed(
  service: TestService,
  start: HostedStart,
  options: HostedClientOptions = {},
): Promise<HostedClient> {
  const client = await signedIn(service, start, options);
  expect(client.page!.path).toBe('/hosted/consent');
  await client.send303({ agree: '1' });
  expect(client.page!.path).toBe('/hosted/check');
  await client.send303();
  return client;
}
