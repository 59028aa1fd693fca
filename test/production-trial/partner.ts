import { randomInt } from 'node:crypto';
import { RinpathClient, signedHeaders } from '../../clients/node/src/index.ts';

export interface Key {
  readonly apiKey: string;
  readonly apiSecret: string;
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
} as const;

/** A partner with a production key. */
export class Partner {
  readonly #baseUrl: string;
  readonly #key: Key;
  readonly #client: RinpathClient;

  constructor(baseUrl: string, key: Key) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#client = new RinpathClient({ baseUrl, ...key });
  }

  /** @throws Error if HSTS is missing */
  async products(): Promise<string[]> {
    await this.#assertStrictTransport();
    const { products } = await this.#client.listProducts();
    return products.map(({ code }) => code);
  }

  async startHosted(mobile: string): Promise<{ journeyId: string; hostedUrl: string }> {
    const { journeyId, hostedUrl } = await this.#client.initiateJourney({
      channel: 'API_HOSTED',
      productCode: 'ONLINE_PERSONAL',
      loanAmount: 100_000,
      mobile,
      customer: CUSTOMER,
    });
    if (hostedUrl === undefined) throw new Error('the hosted journey has no link');
    return { journeyId, hostedUrl };
  }

  async stateOf(journeyId: string): Promise<string> {
    return (await this.#client.readJourney(journeyId)).state;
  }

  startInstant(mobile: string): Promise<{ applicationId: string; redirectUrl: string }> {
    return this.#client.createInstantLoan({ mobile, customer: CUSTOMER, loanAmount: 25_000 });
  }

  async statusOf(applicationId: string): Promise<string> {
    return (await this.#client.readLeadStatus(applicationId)).status;
  }

  async #assertStrictTransport(): Promise<void> {
    const target = '/api/v1/partner/products';
    const headers = signedHeaders({ method: 'GET', target, rawBody: '' }, this.#key);
    const response = await fetch(this.#baseUrl + target, { headers });
    if (!response.headers.has('strict-transport-security')) {
      throw new Error('no Strict-Transport-Security');
    }
  }
}

/** A number that has not received a message. */
export function newMobile(): string {
  return String(randomInt(6_000_000_000, 10_000_000_000));
}
