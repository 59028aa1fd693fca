import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export type Mood =
  | 'TAKES'
  | 'REFUSES'
  | 'LOCKS_OUT'
  | 'THROTTLES'
  | 'IS_DOWN'
  | 'FAILS'
  | 'TALKS_NONSENSE'
  | 'HANGS_UP'
  | 'IS_STUCK';

export interface ReceivedSms {
  readonly to: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
}

interface Reply {
  readonly status: number;
  readonly body: string;
}

/** A local SMS gateway that records the requests and the accepted messages. */
export abstract class SmsGatewayServer {
  readonly received: ReceivedSms[] = [];
  readonly taken: ReceivedSms[] = [];
  private mood: Mood = 'TAKES';
  private readonly held: (() => void)[] = [];
  private readonly server: Server = createServer((request, response) => {
    void this.answer(request, response);
  });

  abstract get section(): Record<string, unknown>;

  protected abstract read(request: IncomingMessage, body: string): ReceivedSms | Reply;

  protected abstract replyIn(mood: Mood, sms: ReceivedSms): Reply;

  async start(): Promise<this> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    return this;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  behave(mood: Mood): void {
    this.mood = mood;
    for (const letGo of this.held.splice(0)) letGo();
  }

  reset(): void {
    this.behave('TAKES');
    this.received.length = 0;
    this.taken.length = 0;
  }

  async stop(): Promise<void> {
    this.behave('HANGS_UP');
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', () => undefined);
    const sms = this.read(request, await bodyOf(request));
    if ('status' in sms) {
      send(response, sms);
      return;
    }
    this.received.push(sms);
    if (this.mood === 'IS_STUCK') await new Promise<void>((letGo) => this.held.push(letGo));
    if (this.mood === 'HANGS_UP') {
      response.destroy();
      return;
    }
    const reply = this.replyIn(this.mood, sms);
    if (this.mood === 'TAKES') this.taken.push(sms);
    send(response, reply);
  }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const ACCOUNT_SID = `AC${'0123456789abcdef'.repeat(2)}`;
const AUTH_TOKEN = 'twilio-test-token';
const FROM = '+14155550100';

/** Twilio's Messages resource, as https://www.twilio.com/docs/messaging/api documents it. */
export class TwilioServer extends SmsGatewayServer {
  get section(): Record<string, unknown> {
    const account = { accountSid: ACCOUNT_SID, authToken: AUTH_TOKEN, from: FROM };
    return { gateway: 'twilio', twilio: { ...account, apiBaseUrl: this.baseUrl } };
  }

  protected read(request: IncomingMessage, body: string): ReceivedSms | Reply {
    const credentials = Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64');
    if (request.headers.authorization !== `Basic ${credentials}`) return error(401, 20003);
    const path = `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json`;
    if (request.method !== 'POST' || request.url !== path) return error(404, 20404);
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const fields = Object.fromEntries(new URLSearchParams(isForm ? body : ''));
    if (!fields.To) return error(400, 21604);
    if (!fields.From && !fields.MessagingServiceSid) return error(400, 21603);
    if (!fields.Body) return error(400, 21602);
    return { to: fields.To, text: fields.Body, fields, headers: request.headers };
  }

  protected replyIn(mood: Mood, sms: ReceivedSms): Reply {
    const replies: Partial<Record<Mood, Reply>> = {
      REFUSES: error(400, 21211, `Invalid 'To' Phone Number: ${sms.to}`),
      LOCKS_OUT: error(401, 20003, 'Authenticate'),
      THROTTLES: error(429, 20429, 'Too Many Requests'),
      IS_DOWN: error(503, 20503, 'Service unavailable'),
      FAILS: { status: 500, body: `<html>Internal Server Error for ${sms.to}</html>` },
      TALKS_NONSENSE: { status: 201, body: `<html>queued ${sms.to}</html>` },
    };
    const sid = `SM${String(this.taken.length).padStart(32, '0')}`;
    const message = { body: sms.text, error_code: null, sid, status: 'queued', to: sms.to };
    return replies[mood] ?? { status: 201, body: JSON.stringify(message) };
  }
}

function error(status: number, code: number, message = 'Bad request'): Reply {
  const moreInfo = `https://www.twilio.com/docs/errors/${code}`;
  return { status, body: JSON.stringify({ code, message, more_info: moreInfo, status }) };
}

const API_KEY = 'http-gateway-test-key';

/** A typical Indian gateway: JSON in and out, a DLT template id, and the sender's reference. */
export class HttpGatewayServer extends SmsGatewayServer {
  idOf = (sms: ReceivedSms): string => `gw-${sms.fields.reference}`;

  /** Overrides the section's `http` part, and adds to `sms`. */
  constructor(
    private readonly own: { http?: object | ((baseUrl: string) => object); sms?: object } = {},
  ) {
    super();
  }

  get section(): Record<string, unknown> {
    const { http, sms } = this.own;
    return {
      gateway: 'http',
      dlt: { entityId: '1101234567890123456', senderId: 'RINPTH' },
      templateIds: {
        HOSTED_LINK: '1107000000000000001',
        HOSTED_LINK_HI: '1107000000000000002',
        ONE_TIME_CODE: '1107000000000000003',
        APPLICATION_LINK: '1107000000000000005',
        APPLICATION_LINK_HI: '1107000000000000006',
        REFUND_MADE: '1107000000000000007',
        OFFERS_READY: '1107000000000000009',
        KYC_FAILED: '1107000000000000011',
        MONEY_PAID: '1107000000000000013',
        MONEY_PAID_HI: '1107000000000000014',
        COOLING_OFF_ENDING: '1107000000000000015',
      },
      http: {
        method: 'POST',
        url: `${this.baseUrl}/send?sender={{senderId}}`,
        headers: { 'X-Api-Key': API_KEY },
        body: JSON.stringify({
          to: '{{mobileWithCountryCode}}',
          text: '{{text}}',
          template: '{{templateId}}',
          reference: '{{messageId}}',
        }),
        acceptedPattern: '"status":\\s*"(OK|ACCEPTED)"',
        messageIdPath: 'data.id',
        ...(typeof http === 'function'
          ? (http as (baseUrl: string) => object)(this.baseUrl)
          : http),
      },
      ...sms,
    };
  }

  protected read(request: IncomingMessage, body: string): ReceivedSms | Reply {
    const { searchParams } = new URL(request.url ?? '/', this.baseUrl);
    const fields = { ...Object.fromEntries(searchParams), ...fieldsOf(request, body) };
    if (request.headers['x-api-key'] !== API_KEY) return { status: 401, body: '{}' };
    return { to: fields.to ?? '', text: fields.text ?? '', fields, headers: request.headers };
  }

  protected replyIn(mood: Mood, sms: ReceivedSms): Reply {
    const replies: Partial<Record<Mood, Reply>> = {
      REFUSES: { status: 422, body: `{"status":"ERROR","message":"${sms.to} is no number"}` },
      LOCKS_OUT: { status: 403, body: '{"status":"ERROR","message":"balance exhausted"}' },
      THROTTLES: { status: 429, body: '{}' },
      IS_DOWN: { status: 503, body: '' },
      FAILS: { status: 502, body: `<html>Bad Gateway ${sms.to}</html>` },
      TALKS_NONSENSE: { status: 200, body: `<html>${sms.to}: ${sms.text}` },
    };
    const taken = { status: 'OK', data: { id: this.idOf(sms) } };
    return replies[mood] ?? { status: 200, body: JSON.stringify(taken) };
  }
}

function fieldsOf(request: IncomingMessage, body: string): Record<string, string> {
  if (body === '') return {};
  const isJson = request.headers['content-type'] === 'application/json';
  return isJson
    ? (JSON.parse(body) as Record<string, string>)
    : Object.fromEntries(new URLSearchParams(body));
}
