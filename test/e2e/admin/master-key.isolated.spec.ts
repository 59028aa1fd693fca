// Isolated: changes the master key.
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PdfThread } from '../../../src/key-facts/pdf/key-facts-pdfs.js';
import { projectPath } from '../../../src/platform/index.js';
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
import { driveTo, readJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { NEW_KEY, OLD_KEY, OTHER_NEW_KEY, ring } from '../../support/master-keys.js';
import { type Journey, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { type OwnService, startService, TEST_MASTER_KEY } from '../../support/service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

describe('a database with values under a master key', () => {
  const WRONG = `k1:${NEW_KEY.slice(3)}`;
  const ANOTHER = 'k1 is not the key that the database knows by this name';
  const ADMITTED = 'Error: There is no key key_none.';
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
    await refusalOf(OLD_KEY, 'config', 'apply', projectPath('config/sandbox.yaml'));
  });

  afterAll(() => database.drop());

  /** The error of a command that writes: like a boot, it checks the keys. */
  async function refusalOf(masterKey: string, ...given: string[]): Promise<string> {
    const command = given.length > 0 ? given : ['keys', 'suspend', 'key_none'];
    const { error } = await runAdminWith({ MASTER_KEY: masterKey }, database.url, ...command);
    for (const key of masterKey.split(',')) expect(error).not.toContain(key.split(':')[1]);
    return error;
  }

  it('refuses a boot and commands by the name of a key of another value', async () => {
    const environment = { MASTER_KEY: WRONG };
    await expect(startService({ databaseUrl: database.url, environment })).rejects.toThrow(ANOTHER);
    expect(await refusalOf(WRONG)).toContain(ANOTHER);
    expect(await refusalOf(WRONG, 'keys', 'list')).toContain(ANOTHER);
  });

  it('refuses by its name a key that is missing, and one that seals too early', async () => {
    const isNew = 'k2 is new and is listed first';
    const lacks = (key: string) => `values are sealed with ${key}, which it lacks`;
    for (const [masterKey, said] of [
      [ring(NEW_KEY, OLD_KEY), isNew],
      [NEW_KEY, lacks('k1')],
      // The rejected process wrote nothing. A process without the new key may join one that only opens with it.
      [ring(OLD_KEY, NEW_KEY), ADMITTED],
      [OLD_KEY, ADMITTED],
      [ring(NEW_KEY, OLD_KEY), ADMITTED],
      [OLD_KEY, lacks('k2')],
      [ring(OLD_KEY, OTHER_NEW_KEY), 'k2 is not the key that the database knows'],
    ]) {
      expect(await refusalOf(masterKey)).toContain(said);
    }
    const both = [OTHER_NEW_KEY, TEST_MASTER_KEY].map((key) =>
      refusalOf(ring(NEW_KEY, OLD_KEY, `k3:${key.split(':')[1]}`)),
    );
    expect((await Promise.all(both)).toSorted()).toEqual([
      expect.stringContaining('k3 is not the key that the database knows'),
      ADMITTED,
    ]);
  });

  it('that is older than the check values refuses by what partners’ secrets are sealed with', async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query('DELETE FROM master_keys; UPDATE configuration SET gateways_sealed = NULL');
    await client.end();
    for (const [masterKey, said] of [
      [NEW_KEY, 'values are sealed with k1, which it lacks'],
      [ring(NEW_KEY, `k1:${OTHER_NEW_KEY.slice(3)}`), 'k1 is not the key that the database knows'],
      [ring(OLD_KEY, NEW_KEY), ADMITTED],
    ]) {
      expect(await refusalOf(masterKey)).toContain(said);
    }
  });
});

describe('replicas with different keys', () => {
  const STEPS = [
    {
      step: 'the first step: the new key opens',
      ahead: ring(OLD_KEY, NEW_KEY),
      behind: OLD_KEY,
    },
    {
      step: 'the second step: the new key seals',
      ahead: ring(NEW_KEY, OLD_KEY),
      behind: ring(OLD_KEY, NEW_KEY),
    },
  ];

  let database: TestDatabase;
  const running = new Map<string, OwnService>();

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(async () => {
    for (const service of running.values()) await service.close();
    await database.drop();
  });

  /** Starts the replicas with these keys; other replicas end, because they could not open new values. */
  async function replicasWith(...masterKeys: string[]): Promise<OwnService[]> {
    for (const [masterKey, service] of running) {
      if (masterKeys.includes(masterKey)) continue;
      running.delete(masterKey);
      await service.close();
    }
    for (const masterKey of masterKeys) {
      const options = { databaseUrl: database.url, environment: { MASTER_KEY: masterKey } };
      running.set(masterKey, running.get(masterKey) ?? (await startService(options)));
    }
    return masterKeys.map((masterKey) => running.get(masterKey)!);
  }

  // One after the other on one database, as in a deployment.
  describe.each(STEPS)(
    '$step; what begins on the one goes on at the other',
    ({ ahead, behind }) => {
      let from: OwnService;
      let to: OwnService;
      let here: PartnerClient;
      let there: PartnerClient;

      beforeAll(async () => {
        [to, from] = await replicasWith(behind, ahead);
        here = partnerClient(from);
        there = partnerClient(to);
      });

      it('a journey with all its steps, and the answer that is kept for its Idempotency-Key', async () => {
        const body = loanRequest();
        const headers = { 'idempotency-key': ahead };
        const first = await here.initiate(body, { headers });
        const again = await there.initiate(body, { headers });
        expect(again.headers['idempotency-replayed']).toBe('true');
        expect(again.json).toEqual(first.json);
        const { journeyId: id, journeySession: session } = first.json.data;
        const journey = { id, session };
        await driveTo(there, journey, 'KYC_PENDING');
        await expectLinksOpen(await readJourney(here, journey));
        await driveTo(here, journey, 'MANDATE_PENDING');
        await driveTo(there, journey, 'SANCTIONED');
      });

      /** Links to a statement and to a redirect still open. The PDF that was agreed to is stored, not drawn again. */
      async function expectLinksOpen({ offers, currentNextAction, selectedOffer }: Journey) {
        for (const link of [offers[0].kfsLink, currentNextAction.url!]) {
          const { ok } = await fetch(link.replace(from.baseUrl, to.baseUrl));
          expect([link, ok]).toEqual([link, true]);
        }
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
      }

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
        // A form of this replica is submitted to the other.
        const fourth = third.copy(to.baseUrl);
        await fourth.send303();
        expect(fourth.page!.path).not.toBe('/hosted/check');
        expect(plain(fourth.page!.text)).not.toContain('changed');
      });

      it('an applicant by the mobile, and an instant loan by its link', async () => {
        const begun = await startHosted(from);
        const client = new HostedClient(to.baseUrl);
        await client.open('/hosted/link');
        await client.send303({ mobile: begun.mobile });
        expect(await linkFor(to, begun.mobile)).toMatch(/^\/hosted\/start\//);
        const { status, json } = await applyForInstantLoan(here, { mobile: newMobile() });
        const page = await fetch(json.data.redirectUrl.replace(from.baseUrl, to.baseUrl));
        expect([status, page.status]).toEqual([200, 200]);
        const command = ['applicants', 'erase', '--mobile', begun.mobile, '--force'];
        const { out } = await runAdminWith({ MASTER_KEY: behind }, database.url, ...command);
        expect(out).toContain(begun.id);
      });
    },
  );
});
