import { eventually } from './eventually.ts';
import { HostedClient, type HostedPage } from './hosted-browser.ts';
import type { Answer, PartnerClient } from './partner-client.ts';

/** For a loaded machine; no test waits the whole time. */
const PATIENT = { withinMs: 30_000 };

export interface InstantLoanOptions {
  mobile?: string;
  pan?: string;
  loanAmount?: number;
  customer?: Record<string, unknown>;
}

export interface CreatedInstantLoan {
  applicationId: string;
  journeyId: string;
  redirectUrl: string;
  smsSent: boolean;
}

/** A valid body with the product's default amount. */
export function instantLoanRequest(options: InstantLoanOptions = {}) {
  return {
    mobile: options.mobile ?? '9876543210',
    customer: { pan: options.pan ?? 'ABCDE1234F', firstName: 'Asha', ...options.customer },
    ...(options.loanAmount !== undefined && { loanAmount: options.loanAmount }),
  };
}

export function applyForInstantLoan(
  client: PartnerClient,
  options: InstantLoanOptions = {},
  idempotencyKey?: string,
): Promise<Answer<CreatedInstantLoan>> {
  return client.post<CreatedInstantLoan>('/instant-loans', instantLoanRequest(options), {
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
  });
}

/** The text about refunds of payments, requested or already sent. */
export const GOES_BACK = /₹[\d,.]+ (?:goes|sent) back, the way you paid/;

/** An applicant's browser: it keeps cookies and submits forms with their hidden fields. */
export class ApplicantBrowser {
  private readonly client: HostedClient;

  constructor(language: 'en' | 'hi' = 'en') {
    // Every address is absolute.
    this.client = new HostedClient('http://unused.invalid', { language });
  }

  async open(url: string): Promise<HostedPage> {
    return this.client.get(url);
  }

  async openToPay(url: string): Promise<HostedPage> {
    const page = await this.open(url);
    if (paymentFormOf(page.text) !== undefined) return page;
    const [first] = choosableIn(page.text);
    if (first === undefined) return page;
    await this.choose(url, first);
    return this.open(url);
  }

  async press(url: string): Promise<HostedPage> {
    const { text } = await this.openToPay(url);
    const form = paymentFormOf(text);
    if (form === undefined) throw new Error(`there is no form to send at ${url}`);
    const action = /action="([^"]+)"/.exec(form)?.[1];
    return this.send(new URL(action ?? url, url).href, {
      ...hiddenIn(form),
      ...(form.includes('name="hasRead"') && { hasRead: '1' }),
    });
  }

  async choose(url: string, offerId: string): Promise<HostedPage> {
    const { text } = await this.open(url);
    const { csrf } = hiddenIn(text);
    if (csrf === undefined) throw new Error(`there is no form to send at ${url}`);
    return this.send(`${url}/choice`, { csrf, offerId });
  }

  async send(url: string, form: Record<string, string>): Promise<HostedPage> {
    return this.client.post(url, form);
  }
}

function formsOf(text: string): string[] {
  return [...text.matchAll(/<form[\s\S]*?<\/form>/g)].map(([form]) => form);
}

/** The hidden fields of a form, as a browser submits them. */
export function hiddenIn(text: string): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]));
}

/** The form that leads to the payment; forms of offers only choose. */
export function paymentFormOf(text: string): string | undefined {
  return formsOf(text).find((form) => form.includes('name="keyFactsHash"'));
}

/** The ids of the offers that a page has a button for. */
export function choosableIn(text: string): string[] {
  return formsOf(text).flatMap((form) => hiddenIn(form).offerId ?? []);
}

/** Reloads the page until a lender has made an offer, which adds a button. */
export function untilOffered(browser: ApplicantBrowser, redirectUrl: string): Promise<HostedPage> {
  return eventually(async () => {
    const page = await browser.open(redirectUrl);
    const { text } = page;
    const isOffered = paymentFormOf(text) !== undefined || choosableIn(text).length > 0;
    if (!isOffered) throw new Error(`no offer is at ${redirectUrl}`);
    return page;
  }, PATIENT);
}

/** Follows the button of a payment page to the gateway's page. */
export async function openGateway(browser: ApplicantBrowser, redirectUrl: string): Promise<string> {
  await untilOffered(browser, redirectUrl);
  const page = await browser.press(redirectUrl);
  const url = page.location || /content="0; url=([^"]+)"/.exec(page.text)?.[1];
  if (!url) throw new Error(`no gateway was opened: ${page.status}`);
  return url.replaceAll('&amp;', '&');
}

/** The applicant continues to the payment, so that the fee is ordered. */
export async function orderFee(
  records: { query<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> },
  { applicationId, redirectUrl }: Pick<CreatedInstantLoan, 'applicationId' | 'redirectUrl'>,
): Promise<string> {
  await openGateway(new ApplicantBrowser(), redirectUrl);
  const [row] = await records.query<{ orderId: string }>(
    `SELECT f.order_id AS "orderId" FROM journey_fees AS f
     JOIN instant_loans AS l ON l.journey_id = f.journey_id
     WHERE l.id = $1 ORDER BY f.redirect_id DESC LIMIT 1`,
    [applicationId],
  );
  return row.orderId;
}

/** Pays, fails or leaves on the sandbox's payment page, as its buttons do. */
export async function atSandboxGateway(
  browser: ApplicantBrowser,
  gatewayUrl: string,
  outcome: 'pay' | 'fail' | 'leave',
  options: { twice?: boolean; late?: boolean } = {},
): Promise<HostedPage> {
  return browser.send(gatewayUrl, {
    outcome,
    method: 'upi',
    ...(options.twice && { twice: '1' }),
    ...(options.late && { late: '1' }),
  });
}
