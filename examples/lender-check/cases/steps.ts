import { casesOf, NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import { need } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import { type Step, STEPS } from '../loan/story.ts';
import { describe } from '../wire/lender-client.ts';
import { sameAgain } from './idempotency.ts';
import { expectNever, expectVerdict, verdictsAreAsWritten } from './verdicts.ts';

const OTHER_HASH = '0'.repeat(64);
const CLOCKS_MS = 300_000;

/** A loan for the cases in which an applicant declines and tries again. */
function hesitant(kit: Kit) {
  return kit.story('hesitant');
}

async function passed(kit: Kit, check: Checks, step: Step): Promise<void> {
  const story = kit.story('main');
  if (step !== 'KYC') await story.pass('KYC');
  if (step === 'ESIGN') await story.pass('MANDATE');
  const { asked } = await story.step(step);
  if (!expectVerdict(check, asked, 'PASSED')) return;
  const { evidence, passedAt } = asked.verdict as {
    evidence: { step: string };
    passedAt: string;
  };
  check.equal('evidence of', evidence.step, step);
  const isPast = Date.parse(passedAt) <= Date.now() + CLOCKS_MS;
  check.that(isPast, 'passedAt in the past', passedAt);
}

async function declineFirst(kit: Kit) {
  if (!kit.parts.pages.areDriven) throw new NotRun("it needs 'pages' in the profile");
  return hesitant(kit).step('KYC', 1, 'decline');
}

export const SESSIONS_AND_STEPS = casesOf('Sessions and steps', [
  {
    id: 'RLP-090',
    title: 'The verdict on SESSIONS matches the document',
    rule: 'OPENED with url, expiresAt and covers.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.story('main').session('KYC');
      verdictsAreAsWritten(kit, check, 'SESSIONS');
    },
  },
  {
    id: 'RLP-091',
    title: 'A session is opened',
    rule: 'OPENED: a page for the requested step, valid for a while.',
    run: async (kit, check) => {
      const asked = await kit.story('main').session('KYC');
      if (!expectVerdict(check, asked, 'OPENED')) return;
      const { url, expiresAt, covers } = asked.verdict as {
        url: string;
        expiresAt: string;
        covers: string[];
      };
      check.that(covers.includes('KYC'), 'covers KYC', covers.join(', '));
      check.that(Date.parse(expiresAt) > Date.now(), 'expiresAt ahead', expiresAt);
      const scheme = kit.client.url.startsWith('https:') ? 'https:' : 'http';
      check.that(url.startsWith(scheme), `an address with ${scheme}`, new URL(url).protocol);
    },
  },
  {
    id: 'RLP-092',
    title: 'The same session is opened once',
    rule: 'The same key always gets the same address.',
    run: async (kit, check) => sameAgain(kit, check, await kit.story('main').session('KYC')),
  },
  {
    id: 'RLP-093',
    title: 'Without the acknowledgement no session is opened',
    rule: 'A session opens only after the applicant acknowledged the chosen statement.',
    run: async (kit, check) => {
      const story = kit.story('unacknowledged');
      const without = await story.sessionQuestion('KYC', 1, { acknowledgement: undefined });
      expectNever(check, await kit.ask(without), 'OPENED');
      const acknowledgement = { ...story.acknowledgement, keyFactsHash: OTHER_HASH };
      const other = await story.sessionQuestion('KYC', 2, { acknowledgement });
      expectNever(check, await kit.ask(other), 'OPENED');
    },
  },
  {
    id: 'RLP-094',
    title: 'Without the choice no session is opened',
    rule: 'Sessions come after POST /selections.',
    run: async (kit, check) => {
      const story = kit.story('not chosen');
      const { reference } = await story.offer();
      const question = story.question('SESSIONS', {
        offerReference: reference,
        ...story.attempt('KYC', 1),
        returnUrl: story.returnUrl('KYC', 1),
        acknowledgement: story.acknowledgement,
      });
      expectNever(check, await kit.ask(question), 'OPENED');
    },
  },
  {
    id: 'RLP-095',
    title: 'The verdict on STEPS matches the document',
    rule: 'PASSED with evidence, FAILED or REFUSED with a reason.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.story('main').step('KYC');
      verdictsAreAsWritten(kit, check, 'STEPS');
    },
  },
  {
    id: 'RLP-096',
    title: 'A step is not passed before its session',
    rule: 'A step passes only after a visit.',
    run: async (kit, check) => {
      for (const step of STEPS) {
        const question = await kit.story('unvisited').stepQuestion(step);
        expectNever(check, await kit.ask(question), 'PASSED');
      }
    },
  },
  {
    id: 'RLP-097',
    title: 'A step waits while the applicant is on the page',
    rule: '202 while the session is open and nothing is decided.',
    run: async (kit, check) => {
      const story = hesitant(kit);
      need(await story.session('KYC'), 'OPENED');
      const exchange = await story.look('KYC');
      check.that(exchange.status === 202, '202', describe(exchange));
    },
  },
  {
    id: 'RLP-098',
    title: 'Declining on the page fails the attempt',
    rule: 'FAILED (may try again), or REFUSED.',
    run: async (kit, check) => {
      const { asked } = await declineFirst(kit);
      expectVerdict(check, asked, 'FAILED', 'REFUSED');
    },
  },
  {
    id: 'RLP-099',
    title: 'After FAILED there is another attempt',
    rule: 'Each attempt has its own question and session, and can pass.',
    run: async (kit, check) => {
      need((await declineFirst(kit)).asked, 'FAILED');
      const story = hesitant(kit);
      const first = need(await story.session('KYC', 1), 'OPENED');
      const again = await story.session('KYC', 2);
      if (!expectVerdict(check, again, 'OPENED')) return;
      const isNew = again.verdict?.['url'] !== first['url'];
      check.that(isNew, 'another address', isNew ? 'another address' : 'the first one');
      expectVerdict(check, (await story.step('KYC', 2)).asked, 'PASSED');
    },
  },
  {
    id: 'RLP-100',
    title: 'KYC is passed',
    rule: 'PASSED with the KYC’s reference.',
    run: (kit, check) => passed(kit, check, 'KYC'),
  },
  {
    id: 'RLP-101',
    title: 'The mandate is passed',
    rule: 'PASSED with the UMRN.',
    run: (kit, check) => passed(kit, check, 'MANDATE'),
  },
  {
    id: 'RLP-102',
    title: 'The signature is passed',
    rule: 'PASSED with the hash of the signed document.',
    run: (kit, check) => passed(kit, check, 'ESIGN'),
  },
  {
    id: 'RLP-103',
    title: 'A passed step stays passed',
    rule: 'The same key always gets the same verdict.',
    run: async (kit, check) => sameAgain(kit, check, (await kit.story('main').step('KYC')).asked),
  },
  {
    id: 'RLP-104',
    title: 'The page returns the applicant',
    rule: 'At the end the page sends the browser to returnUrl.',
    run: async (kit, check) => {
      const { isBack } = await kit.story('main').step('KYC');
      check.that(isBack, 'the browser at returnUrl', isBack ? 'it came back' : 'it stayed');
    },
  },
  {
    id: 'RLP-105',
    title: 'One visit passes the steps that it covers',
    rule: 'covers: each step is still asked about, without another redirect.',
    run: async (kit, check) => {
      const { covering } = kit.profile;
      if (!covering)
        throw new NotRun('the profile names no product with one visit for several steps');
      const story = kit.story('covering', covering);
      const { covers } = need(await story.session('KYC'), 'OPENED') as { covers: string[] };
      check.that(covers.length > 1, 'several steps covered', covers.join(', '));
      for (const step of STEPS.filter((one) => covers.includes(one))) {
        expectVerdict(check, (await story.step(step)).asked, 'PASSED');
      }
    },
  },
  {
    id: 'RLP-106',
    title: 'A session can be requested again under another question',
    rule: 'An expired session is replaced with a new questionId, and the same stepReference and attempt.',
    run: async (kit, check) => {
      const story = kit.story('again');
      need(await story.session('KYC'), 'OPENED');
      const asked = await kit.settle(await story.sessionQuestion('KYC'));
      expectVerdict(check, asked, 'OPENED');
    },
  },
]);
