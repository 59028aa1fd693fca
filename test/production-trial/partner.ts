import { randomInt, randomUUID } from 'node:crypto';
import { authenticationHeaders, freshStamp, signRequest } from '../../examples/partner/signer.ts';

export interface Key {
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface Answered {
  readonly headers: Headers;
  readonly data: unknown;
}

const CUSTOMER = {
  fullName: 'Asha Verma',
  pan: 'ABCPV1234D',
  dob: '1990-05-17',
  gender: 'FEMALE',
  employmentType: 'salaried',
  monthlyIncome: 85_000,
  companyName: 'Example Textiles',
  pinCode: '560001',
  city: 'Bengaluru',
  state: 'Karnataka',
};

/** A partner with a key of the production's own. */
export class Partner {
  readonly #baseUrl: string;
  readonly #key: Key;

  constructor(baseUrl: string, key: Key) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /** The codes that the key may offer. @throws Error when HSTS is missing */
  async products(): Promise<string[]> {
    const { data, headers } = await this.#call('GET', '/products');
    if (!headers.has('strict-transport-security')) throw new Error('no Strict-Transport-Security');
    return (data as { products: { code: string }[] }).products.map(({ code }) => code);
  }

  async startHosted(mobile: string): Promise<{ journeyId: string; hostedUrl: string }> {
    const loan = { channel: 'API_HOSTED', productCode: 'ONLINE_PERSONAL', loanAmount: 100_000 };
    const body = { ...loan, mobile, customer: CUSTOMER };
    const { data } = await this.#call('POST', '/journey/initiate', body);
    return data as { journeyId: string; hostedUrl: string };
  }

  async stateOf(journeyId: string): Promise<string> {
    const { data } = await this.#call('GET', `/journey/${journeyId}`);
    return (data as { state: string }).state;
  }

  async startInstant(mobile: string): Promise<{ applicationId: string; redirectUrl: string }> {
    const body = { mobile, customer: CUSTOMER, loanAmount: 25_000 };
    const { data } = await this.#call('POST', '/instant-loans', body);
    return data as { applicationId: string; redirectUrl: string };
  }

  async statusOf(applicationId: string): Promise<string> {
    const { data } = await this.#call('GET', `/leads/${applicationId}/status`);
    return (data as { status: string }).status;
  }

  /** @throws Error on anything but success */
  async #call(method: string, path: string, body?: unknown): Promise<Answered> {
    const target = `/api/v1/partner${path}`;
    const rawBody = body === undefined ? '' : JSON.stringify(body);
    const stamp = freshStamp();
    const { apiKey, apiSecret } = this.#key;
    const signature = signRequest({ method, target, rawBody }, stamp, apiSecret);
    const response = await fetch(this.#baseUrl + target, {
      method,
      headers: {
        ...authenticationHeaders('x-api-key', apiKey, stamp, signature),
        ...(rawBody && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(rawBody && { body: rawBody }),
    });
    const { data, error } = (await response.json()) as { data?: unknown; error?: string };
    if (data === undefined) throw new Error(`${method} ${path}: ${response.status} ${error}`);
    return { data, headers: response.headers };
  }
}

/** A number that nobody was sent a text at. */
export function newMobile(): string {
  return String(randomInt(6_000_000_000, 10_000_000_000));
}
