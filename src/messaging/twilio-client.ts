import twilio from 'twilio';
import type { OutboundClient } from '../platform/index.js';
import type { TwilioSettings } from '../settings/index.js';

// Below the dispatch deadline, so that this one ends the call.
const DEADLINE_MS = 9_500;
const MAX_RESPONSE_BYTES = 64 * 1_024;

type Options<Data> = Parameters<InstanceType<typeof twilio.RequestClient>['request']>[0] & {
  data?: Data;
};

interface Answer<Body> {
  statusCode: number;
  body: Body;
  headers: unknown;
  toString(): string;
}

/** The settings may change between messages. */
export function twilioClient(
  { accountSid, authToken, apiBaseUrl }: TwilioSettings,
  outbound: OutboundClient,
): twilio.Twilio {
  const httpClient = new TwilioTransport(outbound, apiBaseUrl);
  // Without these the SDK reads edge and region from the environment.
  return twilio(accountSid, authToken, { httpClient, edge: '', region: '' });
}

/** One deadline, no redirects, a capped response, no debugging data. */
class TwilioTransport extends twilio.RequestClient {
  /** @param baseUrl replaces Twilio's address in the sandbox */
  constructor(
    private readonly outbound: OutboundClient,
    private readonly baseUrl: string | undefined,
  ) {
    super();
  }

  override async request<Data>(options: Options<Data>): Promise<Answer<Data>> {
    const { username = '', password = '', data, uri } = options;
    const credentials = Buffer.from(`${username}:${password}`).toString('base64');
    const { status, headers, excerpt } = await this.outbound.post(this.addressOf(uri), {
      headers: { ...textsOf(options.headers), Authorization: `Basic ${credentials}` },
      body: formOf(data ?? {}),
      deadlineMs: DEADLINE_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    // The SDK parses the text, but its types expect the parsed value.
    return { statusCode: status, headers, body: excerpt as Data };
  }

  private addressOf(uri: string): string {
    if (this.baseUrl === undefined) return uri;
    const { pathname, search } = new URL(uri);
    return this.baseUrl.replace(/\/$/, '') + pathname + search;
  }
}

function textsOf(headers: object = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

function formOf(data: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(data)) form.append(name, String(value));
  return form.toString();
}
