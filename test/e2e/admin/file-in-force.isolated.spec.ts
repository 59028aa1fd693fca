// Isolated: applies other configurations.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ConfigurationApplier } from '../../../src/admin/index.js';
import { runInProduction } from '../../support/admin-command.js';
import { PRODUCTION_DEPLOYMENT, SANDBOX_DEPLOYMENT } from '../../support/deployments.js';
import { JourneyRecords } from '../../support/journey-records.js';
import { loanRequest, shortLoanRequest } from '../../support/loan-requests.js';
import { type Journey, partnerClient } from '../../support/partner-client.js';
import { productionConfiguration } from '../../support/production-configuration.js';
import { type OwnService, startService } from '../../support/service.js';
import { shippedConfiguration } from '../../support/shipped-configuration.js';
import { ConfigurationBench } from './configuration-bench.js';

describe('what the file says', () => {
  interface File {
    version: number;
    settings: Record<string, unknown>;
    products: { code: string; enabled?: boolean }[];
    partners: { id: string; keys: Record<string, unknown>[] }[];
  }

  const folder = mkdtempSync(join(tmpdir(), 'rinpath-in-force-'));
  const path = join(folder, 'sandbox.yaml');
  const file = parse(shippedConfiguration()) as File;
  const [key] = file.partners.find(({ id }) => id === 'demo')!.keys;
  let service: OwnService;

  beforeAll(async () => {
    file.settings.pollIntervalSeconds = 9;
    Object.assign(key, { defaultChannel: 'API_HOSTED', defaultProduct: 'ONLINE_BUSINESS' });
    writeFileSync(path, stringify(file));
    service = await startService({ configFile: path });
  });

  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  /** Applies the current file as a later version. */
  async function apply(): Promise<void> {
    file.version += 1;
    writeFileSync(path, stringify(file));
    const applier = service.get<ConfigurationApplier>(ConfigurationApplier);
    expect(await applier.apply(path, SANDBOX_DEPLOYMENT)).toMatchObject({ outcome: 'APPLIED' });
    // Replicas check the cached configuration against the revision once a second.
    await service.travel(1_001);
  }

  /** The journey that variant B starts without a channel and a product. */
  async function started(): Promise<Journey> {
    const client = partnerClient(service, { key: key.name as string });
    const { status, json } = await client.initiate(shortLoanRequest());
    expect([status, json.error]).toEqual([200, undefined]);
    const { journeyId, journeySession } = json.data;
    return (await client.journey(journeyId, journeySession)).json.data;
  }

  it('is what a partner meets: the channel and the product of variant B, how often to read', async () => {
    expect(await started()).toMatchObject({
      channel: 'API_HOSTED',
      productCode: 'ONLINE_BUSINESS',
      loanAmount: 500_000,
      pollIntervalSeconds: 9,
    });
  });

  it('is how much gold one application may have, and which products there are, without a restart', async () => {
    const client = partnerClient(service, { key: key.name as string });
    const grams = async (given: string) => {
      const body = loanRequest({ productCode: 'ONLINE_GOLD' });
      const goldLoanDetails = { jewellaryList: ['necklace'], grams: given };
      const { status, json } = await client.initiate({ ...body, goldLoanDetails });
      return [status, json.details?.[0]?.field];
    };
    const isListed = async () => {
      const { json } = await client.get<{ products: { code: string }[] }>('/products');
      return json.data.products.some(({ code }) => code === 'ONLINE_BUSINESS');
    };
    const business = file.products.find(({ code }) => code === 'ONLINE_BUSINESS')!;
    expect([await grams('1000'), await isListed()]).toEqual([[200, undefined], true]);
    file.settings.goldOrnamentGrams = 600;
    business.enabled = false;
    await apply();
    const refused = [400, 'goldLoanDetails.grams'];
    expect([await grams('600.5'), await isListed()]).toEqual([refused, false]);
    delete file.settings.goldOrnamentGrams;
    delete business.enabled;
    await apply();
    expect([await grams('1000.5'), await isListed()]).toEqual([refused, true]);
  });

  it('counts from when a changed file is applied, and its defaults where it says nothing', async () => {
    file.settings.pollIntervalSeconds = 13;
    Object.assign(key, { defaultChannel: 'API_HEADLESS', defaultProduct: 'ONLINE_SHORT_TERM' });
    await apply();
    expect(await started()).toMatchObject({
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_SHORT_TERM',
      pollIntervalSeconds: 13,
    });
    delete file.settings.pollIntervalSeconds;
    delete key.defaultChannel;
    delete key.defaultProduct;
    await apply();
    expect(await started()).toMatchObject({
      channel: 'API_HEADLESS',
      productCode: 'ONLINE_PERSONAL',
      pollIntervalSeconds: 2,
    });
  });
});

describe('a payment account in which something is open', () => {
  interface File {
    version: number;
    products: { code: string; enabled?: boolean }[];
    lenders: { code: string; payment?: object }[];
    payment: object;
  }

  const LENDER = 'navdhara';
  const [KEY, ANOTHER] = ['rzp_live_0000000001', 'rzp_live_0000000002'];

  const account = (keyId: string) => ({
    gateway: 'razorpay',
    razorpay: { keyId, keySecret: 'secret', webhookSecret: 'the-webhook-secret' },
  });

  let bench: ConfigurationBench;
  let records: JourneyRecords;
  let folder: string;
  let file: File;
  let version = 1;

  beforeAll(async () => {
    bench = await ConfigurationBench.open();
    records = new JourneyRecords(bench.databaseUrl);
    folder = mkdtempSync(join(tmpdir(), 'rinpath-payment-accounts-'));
  });

  afterAll(async () => {
    await records?.close();
    await bench?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ofLender = () => file.lenders.find(({ code }) => code === LENDER)!;

  function written(): string {
    version += 1;
    file.version = version;
    const path = join(folder, 'production.yaml');
    writeFileSync(path, stringify(file));
    return path;
  }

  /** Applies the file; returns the problems, or an empty string. */
  async function apply(...sameAccounts: string[]): Promise<string> {
    const applier = bench.context.get(ConfigurationApplier);
    return applier.apply(written(), PRODUCTION_DEPLOYMENT, {}, sameAccounts).then(
      ({ outcome }) => {
        expect(outcome).toBe('APPLIED');
        return '';
      },
      (error: unknown) => (error as Error).message,
    );
  }

  async function openOrder(id: string, of: string | null): Promise<void> {
    await records.query(
      `INSERT INTO payment_orders (id, partner_id, subject_id, amount, details_sealed, expires_at, status,
       gateway, account)
     VALUES ($1, 'acme', 'app_accounts', 100, 'sealed', app_now() + interval '1 day', 'OPEN', 'razorpay', $2)`,
      [id, of],
    );
  }

  const closed = (id: string) =>
    records.query(
      `UPDATE payment_orders SET status = 'PAID', next_attempt_at = NULL WHERE id = $1`,
      [id],
    );

  beforeEach(async () => {
    file = parse(productionConfiguration()) as File;
    file.payment = account(KEY);
    for (const lender of file.lenders) lender.payment = account(KEY);
    expect(await apply()).toBe('');
    await records.query(
      `INSERT INTO partners (id, name) VALUES ('acme', 'Acme') ON CONFLICT DO NOTHING`,
    );
  });

  it('does not give way to another key, unless it is said to be the same account’s', async () => {
    await openOrder('pay_lender', LENDER);
    ofLender().payment = account(ANOTHER);
    expect(await apply()).toMatch(
      /lenders\[\d\]\.payment\.razorpay\.keyId must stay until 1 order of the current account are over; .* --same-account navdhara$/,
    );
    expect(await apply('operator', 'kaverisetu')).not.toBe('');
    expect(await apply(LENDER)).toBe('');
    // The change is in force, so the confirmation is no longer needed, and an earlier one is no longer valid.
    expect(await apply()).toBe('');
    ofLender().payment = account(KEY);
    expect(await apply()).not.toBe('');
    await closed('pay_lender');
    expect(await apply()).toBe('');
  });

  it('is not left out, whatever is said', async () => {
    await openOrder('pay_left', LENDER);
    delete ofLender().payment;
    file.products.find(({ code }) => code === 'ONLINE_INSTANT')!.enabled = false;
    const refusal = /lenders\[\d\]\.payment must stay until 1 order of this account are over$/;
    expect(await apply(LENDER)).toMatch(refusal);
    await closed('pay_left');
    expect(await apply()).toBe('');
  });

  it('nor while a chosen loan’s fee is still to be ordered; another key is none of its concern', async () => {
    await records.query(
      `INSERT INTO applications
         (id, journey_id, partner_id, loan_type, loan_amount, loan_amount_source, status, submitted_at)
       VALUES ('app_chosen', 'jrn_chosen', 'acme', 'ONLINE_INSTANT', 100, 'PARTNER', 'PAYMENT_PENDING', app_now())`,
    );
    await records.query(
      `INSERT INTO journeys (id, partner_id, key_id, application_id, product_code, channel, state, steps,
         loan_amount, loan_amount_source, selected_offer_id, last_activity_at, created_at, updated_at)
       VALUES ('jrn_chosen', 'acme', 'key', 'app_chosen', 'ONLINE_INSTANT', 'API_HOSTED', 'FEE_PENDING',
         '{OFFERS,FEE,DECISION}', 100, 'PARTNER', 'off_chosen', app_now(), app_now(), app_now())`,
    );
    await records.query(
      `INSERT INTO journey_offers (id, partner_id, journey_id, round, lender_code, lender_reference, seller_name,
         principal, minimum_amount, figures, terms, valid_until)
       VALUES ('off_chosen', 'acme', 'jrn_chosen', 1, $1, '1', 'Lender', 100, 100, '{}', '{}', app_now())`,
      [LENDER],
    );
    ofLender().payment = account(ANOTHER);
    expect(await apply()).toBe('');
    delete ofLender().payment;
    file.products.find(({ code }) => code === 'ONLINE_INSTANT')!.enabled = false;
    const refusal = /lenders\[\d\]\.payment must stay until 1 unpaid application of this account/;
    expect(await apply()).toMatch(refusal);
    await records.query(`UPDATE journeys SET finished_at = app_now() WHERE id = 'jrn_chosen'`);
    expect(await apply()).toBe('');
  });

  it('has payments that are not decided, and refunds that are not made', async () => {
    await openOrder('pay_paid', LENDER);
    await closed('pay_paid');
    await records.query(
      `INSERT INTO payments (partner_id, subject_id, order_id, gateway, gateway_payment_id, amount,
         currency, is_counted, source, paid_at)
       VALUES ('acme', 'app_accounts', 'pay_paid', 'razorpay', 'pay_1', 100, 'INR', true, 'ASKED', app_now())`,
    );
    ofLender().payment = account(ANOTHER);
    expect(await apply()).toContain('1 undecided payment of');
    await records.query(
      `INSERT INTO payment_refunds (id, payment_id, partner_id, subject_id, order_id, gateway, account,
         gateway_payment_id, amount, currency, reason)
       SELECT 'rfd_1', id, partner_id, subject_id, order_id, gateway, $1, gateway_payment_id, amount,
         currency, 'DECLINED' FROM payments`,
      [LENDER],
    );
    expect(await apply()).toContain('1 undecided payment, 1 refund of');
    await records.query('UPDATE payments SET unsettled_at = NULL');
    expect(await apply()).toContain('until 1 refund of');
    await records.query(`UPDATE payment_refunds SET status = 'DONE', next_attempt_at = NULL`);
    expect(await apply()).toBe('');
  });

  it('is not one in which another lender’s order is open, nor one that no gateway was sent', async () => {
    await openOrder('pay_other', 'kaverisetu');
    await openOrder('pay_new', LENDER);
    await records.query(`UPDATE payment_orders SET gateway = NULL WHERE id = 'pay_new'`);
    ofLender().payment = account(ANOTHER);
    expect(await apply()).toBe('');
  });

  it('may be the operator’s own, and is named on the command line', async () => {
    await openOrder('pay_operator', null);
    await openOrder('pay_command', LENDER);
    for (const one of [file, ofLender()]) one.payment = account(ANOTHER);
    expect(await apply(LENDER)).toContain('payment.razorpay.keyId must stay');
    const path = written();
    await records.query(`UPDATE deployment SET mode = 'production'`);
    const run = (...options: string[]) =>
      runInProduction(['config', 'apply', path, ...options], {
        DATABASE_URL: bench.databaseUrl,
        DATA_DIR: folder,
      });
    const refused = await run();
    expect([refused.code, refused.error]).toEqual([
      1,
      expect.stringContaining(`--same-account ${LENDER}`),
    ]);
    expect(await run('--same-account', `operator, ${LENDER}`)).toMatchObject({ code: 0 });
    const noted = `SELECT parameters FROM operator_commands ORDER BY id DESC LIMIT 1`;
    expect(await records.query(noted)).toMatchObject([
      { parameters: { sameAccount: ['operator', LENDER] } },
    ]);
  });
});
