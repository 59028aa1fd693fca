// Isolated: changes the master key.
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostedLimits } from '../../../src/journeys/access/hosted-limits.js';
import { PdfThread } from '../../../src/key-facts/pdf/pdf-thread.js';
import { SmsLimits } from '../../../src/messaging/sms-limits.js';
import { Database } from '../../../src/platform/index.js';
import { runAdminWith } from '../../support/admin-command.js';
import {
  codeFor,
  HostedClient,
  linkFor,
  newMobile,
  plain,
  startHosted,
} from '../../support/hosted-client.js';
import { applyForInstantLoan } from '../../support/instant-loans.js';
import { driveTo, journeyIn, readJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { NEW_KEY, OLD_KEY, OTHER_NEW_KEY, ring } from '../../support/master-keys.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService } from '../../support/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('one service', () => {
  const WRONG = `k1:${NEW_KEY.slice(3)}`;
  let database: TestDatabase;
  let running: OwnService[];

  beforeEach(async () => {
    database = await createTestDatabase();
    running = [];
  });

  afterEach(async () => {
    for (const service of running) await service.close();
    await database.drop();
  });

  async function boot(masterKey: string): Promise<void> {
    const environment = { MASTER_KEY: masterKey };
    running.push(await startService({ databaseUrl: database.url, environment }));
  }

  /** What a boot is refused with. */
  async function refusalOf(masterKey: string): Promise<string> {
    const refusal = await boot(masterKey).then(
      () => 'it was not refused',
      (error: Error) => error.message,
    );
    for (const key of masterKey.split(',')) expect(refusal).not.toContain(key.split(':')[1]);
    return refusal;
  }

  async function admin(masterKey: string, ...parameters: string[]) {
    const { code, error } = await runAdminWith(
      { MASTER_KEY: masterKey },
      database.url,
      ...parameters,
    );
    return { code, error };
  }

  async function run(sql: string): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  }

  describe('a boot is refused by the name of the key', () => {
    it('when another key is known by that name', async () => {
      await boot(OLD_KEY);
      expect(await refusalOf(WRONG)).toContain(
        'k1 is another key than the one that is known by this name',
      );
    });

    it('when it lacks a key that values are sealed with', async () => {
      await boot(OLD_KEY);
      expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
      await boot(ring(OLD_KEY, NEW_KEY));
      await boot(ring(NEW_KEY, OLD_KEY));
      expect(await refusalOf(OLD_KEY)).toContain('values are sealed with k2, which it lacks');
    });

    it('when a key would seal that the other replicas may not have', async () => {
      await boot(OLD_KEY);
      expect(await refusalOf(ring(NEW_KEY, OLD_KEY))).toContain('k2 is new and stands first');
      // Nothing was written by the boot that was refused.
      await boot(OLD_KEY);
    });

    it('when two replicas were given different keys of one name for the change', async () => {
      await boot(ring(OLD_KEY, NEW_KEY));
      expect(await refusalOf(ring(OLD_KEY, OTHER_NEW_KEY))).toContain('k2 is another key');
    });

    it('on a database that is older than its check values, too', async () => {
      await boot(OLD_KEY);
      await run('DELETE FROM master_keys');
      expect(await refusalOf(WRONG)).toContain('k1 is another key');
      expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
      await boot(OLD_KEY);
    });

    it('on such a database whose key was changed before: partners’ secrets are sealed with the old one', async () => {
      await boot(OLD_KEY);
      await boot(ring(OLD_KEY, NEW_KEY));
      await boot(ring(NEW_KEY, OLD_KEY));
      await run('DELETE FROM master_keys; UPDATE configuration SET gateways_sealed = NULL');
      expect(await refusalOf(NEW_KEY)).toContain('values are sealed with k1, which it lacks');
      expect(await refusalOf(ring(NEW_KEY, `k1:${OTHER_NEW_KEY.slice(3)}`))).toContain(
        'k1 is another key',
      );
      await boot(ring(OLD_KEY, NEW_KEY));
    });
  });

  describe('a boot is taken', () => {
    it('of a replica that does not have the new key yet, while that only opens', async () => {
      await boot(OLD_KEY);
      await boot(ring(OLD_KEY, NEW_KEY));
      await boot(OLD_KEY);
      expect(running).toHaveLength(3);
    });

    it('of two replicas at once; of two with different keys of one name, of one', async () => {
      await Promise.all([boot(OLD_KEY), boot(OLD_KEY)]);
      expect(running).toHaveLength(2);
      const both = await Promise.allSettled([
        boot(ring(OLD_KEY, NEW_KEY)),
        boot(ring(OLD_KEY, OTHER_NEW_KEY)),
      ]);
      const taken = both.map(({ status }) => status);
      expect(taken.filter((status) => status === 'rejected')).toHaveLength(1);
      expect(running).toHaveLength(3);
    });
  });

  describe('the administrator’s command line', () => {
    it.each([
      ['that reads', ['keys', 'list']],
      ['that changes something', ['keys', 'suspend', 'key_none']],
    ])('refuses a command %s under a wrong key', async (_, parameters) => {
      await boot(OLD_KEY);
      const refused = await admin(WRONG, ...parameters);
      expect(refused.code).toBe(1);
      expect(refused.error).toContain('k1 is another key than the one that is known by this name');
      expect(refused.error).not.toContain(WRONG.slice(3));
      expect((await admin(OLD_KEY, 'keys', 'list')).code).toBe(0);
    });
  });
});

describe('replicas with different keys', () => {
  /** What the replica that is a step ahead has, and what the others still have. */
  const STEPS = [
    { step: 'the first step: the new key opens', ahead: ring(OLD_KEY, NEW_KEY), behind: OLD_KEY },
    {
      step: 'the second step: the new key seals',
      ahead: ring(NEW_KEY, OLD_KEY),
      behind: ring(OLD_KEY, NEW_KEY),
    },
  ];

  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  function start(masterKey: string): Promise<OwnService> {
    return startService({ databaseUrl: database.url, environment: { MASTER_KEY: masterKey } });
  }

  // One after the other on one database, as it goes in a deployment.
  describe.each(STEPS)('$step', ({ ahead, behind }) => {
    const replicas: { ahead: OwnService; behind: OwnService } = {} as never;

    beforeAll(async () => {
      replicas.behind = await start(behind);
      replicas.ahead = await start(ahead);
    });

    afterAll(async () => {
      await replicas.ahead?.close();
      await replicas.behind?.close();
    });

    describe.each([
      { from: 'ahead', to: 'behind' },
      { from: 'behind', to: 'ahead' },
    ] as const)('what begins on the replica that is $from goes on at the other', (direction) => {
      let from: OwnService;
      let to: OwnService;
      let here: PartnerClient;
      let there: PartnerClient;

      beforeAll(() => {
        from = replicas[direction.from];
        to = replicas[direction.to];
        here = partnerClient(from);
        there = partnerClient(to);
      });

      it('a journey with all its steps, and the answer that is kept for its Idempotency-Key', async () => {
        const body = loanRequest();
        const headers = { 'idempotency-key': `${direction.from}-${ahead}` };
        const first = await here.initiate(body, { headers });
        const again = await there.initiate(body, { headers });
        expect(again.headers['idempotency-replayed']).toBe('true');
        expect(again.json).toEqual(first.json);
        const { journeyId: id, journeySession: session } = first.json.data;
        const journey = { id, session };
        await driveTo(there, journey, 'KYC_PENDING');
        await driveTo(here, journey, 'MANDATE_PENDING');
        await driveTo(there, journey, 'SANCTIONED');
      });

      it('the links to a statement and to a redirect', async () => {
        const journey = await readJourney(here, await journeyIn(here, 'KYC_PENDING'));
        const links = [journey.offers[0].kfsLink, journey.currentNextAction.url!];
        for (const link of links) {
          const { ok } = await fetch(link.replace(from.baseUrl, to.baseUrl));
          expect([link, ok]).toEqual([link, true]);
        }
      });

      it('the PDF that is kept of a statement that was agreed to', async () => {
        const { selectedOffer } = await readJourney(here, await journeyIn(here, 'KYC_PENDING'));
        const pdfAt = async (service: OwnService) => {
          const link = selectedOffer!.kfsLink.replace(from.baseUrl, service.baseUrl);
          return Buffer.from(await (await fetch(`${link}.pdf`)).arrayBuffer());
        };
        const draw = vi.spyOn(to.get<PdfThread>(PdfThread), 'draw');
        const first = await pdfAt(from);
        expect(first.subarray(0, 5).toString()).toBe('%PDF-');
        expect((await pdfAt(to)).equals(first)).toBe(true);
        expect(draw).not.toHaveBeenCalled();
        draw.mockRestore();
      });

      it('a hosted journey: its link, code, session, forms and what they showed', async () => {
        const begun = await startHosted(from);
        const first = new HostedClient(from.baseUrl);
        await first.open(begun.link);
        const second = first.copy(to.baseUrl);
        await second.send303();
        const third = second.copy(from.baseUrl);
        await third.send303({ code: await codeFor(from, begun.mobile) });
        expect(third.page!.path).toBe('/hosted/consent');
        await third.send303({ agree: '1' });
        expect(third.page!.path).toBe('/hosted/check');
        // The form that this replica drew is sent to the other.
        const fourth = third.copy(to.baseUrl);
        await fourth.send303();
        expect(fourth.page!.path).not.toBe('/hosted/check');
        expect(plain(fourth.page!.text)).not.toContain('changed');
      });

      it('an applicant is found by the mobile', async () => {
        const begun = await startHosted(from);
        const client = new HostedClient(to.baseUrl);
        await client.open('/hosted/link');
        await client.send303({ mobile: begun.mobile });
        expect(await linkFor(to, begun.mobile)).toMatch(/^\/hosted\/start\//);
      });

      it('an instant loan and its link', async () => {
        const { status, json } = await applyForInstantLoan(here, { mobile: newMobile() });
        expect(status).toBe(200);
        const page = await fetch(json.data.redirectUrl.replace(from.baseUrl, to.baseUrl));
        expect(page.status).toBe(200);
      });

      it('what is counted, to the last one', async () => {
        const take = (service: OwnService, subject: string) =>
          service
            .get<Database>(Database)
            .transaction((tx) =>
              service.get<HostedLimits>(HostedLimits).take(tx, 'LINKS_OF_JOURNEY', subject),
            );
        const subject = `${direction.from} of ${ahead}`;
        expect(await take(from, subject)).toBeNull();
        expect(await take(to, subject)).toBeNull();
        expect(await take(from, subject)).toBeNull();
        expect(await take(to, subject)).toBeInstanceOf(Date);
        expect(await take(from, subject)).toBeInstanceOf(Date);

        const text = (service: OwnService, mobile: string) =>
          service
            .get<Database>(Database)
            .transaction((tx) =>
              service.get<SmsLimits>(SmsLimits).take(tx, mobile, 'ONE_TIME_CODE'),
            );
        const mobile = newMobile();
        await to.get<Database>(Database).query('DELETE FROM sms_limits');
        for (const service of [from, to, to, from, to]) await text(service, mobile);
        const rows = await to
          .get<Database>(Database)
          .query<{ most: number }>('SELECT max(count) AS most FROM sms_limits');
        expect(rows).toEqual([{ most: 5 }]);
      });
    });
  });
});
