import { casesOf, NotRun } from '../case.ts';
import type { Checks } from '../checks.ts';
import type { Asked, Fields } from '../loan/asked.ts';
import type { Kit } from '../loan/kit.ts';
import { describe } from '../wire/lender-client.ts';

async function settledOffers(kit: Kit): Promise<Asked> {
  const asked = await kit.story('main').offers();
  if (!asked.verdict) throw new NotRun(`it needs a verdict to OFFERS: ${describe(asked.last)}`);
  return asked;
}

/** A repeated question gets the same verdict. */
export async function sameAgain(kit: Kit, check: Checks, asked: Asked): Promise<void> {
  if (!asked.verdict) throw new NotRun(`it needs a verdict: ${describe(asked.last)}`);
  const again = await kit.ask(asked.question);
  const expected = `the verdict ${String(asked.verdict['answerId'])} again`;
  const isSame = check.that(again.status === 200, expected, describe(again));
  if (isSame) check.equal('verdict', again.json, asked.verdict);
}

function otherBody({ question }: Asked, kit: Kit) {
  const fields = { ...question.fields, loanAmount: kit.profile.loan.loanAmount - 100_000 };
  return { ...question, fields, bytes: Buffer.from(JSON.stringify(fields)) };
}

/** Sends the same key with another body. */
export async function reusedKey(kit: Kit, check: Checks, asked: Asked): Promise<void> {
  const exchange = await kit.ask(otherBody(asked, kit));
  check.that(exchange.status === 409, '409', describe(exchange));
}

/** Sends a question several times in parallel; returns these verdicts and the final one. */
export async function sideBySide(kit: Kit, asked: Promise<Asked>[]): Promise<readonly Fields[]> {
  const settled = await Promise.all(asked);
  const verdicts = settled.flatMap(({ verdict }) => (verdict ? [verdict] : []));
  const [first] = settled;
  if (!first?.verdict) throw new NotRun(`no verdict came: ${first ? describe(first.last) : ''}`);
  const last = kit.verdict(first.question.name, await kit.ask(first.question));
  return last ? [...verdicts, last] : verdicts;
}

const RULE_AGAIN = 'The same key always gets the same verdict, with the same content.';
const RULE_REUSED = 'The same key with another body is 409 key_reused.';
const AT_ONCE = 5;

export const IDEMPOTENCY = casesOf('Idempotency', [
  {
    id: 'RLP-045',
    title: 'The same question has the same verdict',
    rule: RULE_AGAIN,
    run: async (kit, check) => sameAgain(kit, check, await settledOffers(kit)),
  },
  {
    id: 'RLP-046',
    title: 'Another body under an old key is refused',
    rule: RULE_REUSED,
    run: async (kit, check) => reusedKey(kit, check, await settledOffers(kit)),
  },
  {
    id: 'RLP-047',
    title: 'An old key at another address is refused',
    rule: RULE_REUSED,
    run: async (kit, check) => {
      const { question } = await settledOffers(kit);
      const offer = await kit.story('main').offer();
      const fields = { loanAmount: offer.principal, offerReference: offer.reference };
      const quote = kit.question(
        'QUOTES',
        { ...kit.story('main').opening, ...fields },
        question.id,
      );
      const exchange = await kit.ask(quote);
      kit.asked.set(question.id, question);
      check.that(exchange.status === 409, '409', describe(exchange));
    },
  },
  {
    id: 'RLP-048',
    title: 'After 409 the old verdict still counts',
    rule: RULE_AGAIN,
    run: async (kit, check) => {
      const asked = await settledOffers(kit);
      await kit.ask(otherBody(asked, kit));
      await sameAgain(kit, check, asked);
    },
  },
  {
    id: 'RLP-049',
    title: 'Parallel copies of a question get one verdict',
    rule: RULE_AGAIN,
    run: async (kit, check) => {
      const question = kit.story('in parallel').offersQuestion();
      const asked = Array.from({ length: AT_ONCE }, () => kit.settle(question));
      const verdicts = await sideBySide(kit, asked);
      const texts = new Set(verdicts.map((verdict) => JSON.stringify(verdict)));
      check.that(texts.size === 1, 'one verdict', `${texts.size} verdicts to one question`);
    },
  },
  {
    id: 'RLP-050',
    title: 'Two questions have two answers',
    rule: 'answerId is the lender’s id of one verdict.',
    phase: 'LAST',
    run: async (kit, check) => {
      await settledOffers(kit);
      const owners = new Map<string, string>();
      check.each('an answerId belongs to one question', kit.settled, ({ verdict, question }) => {
        const id = String(verdict?.['answerId']);
        const owner = owners.get(id) ?? question.id;
        owners.set(id, owner);
        return owner === question.id ? null : `${id} answers ${owner} and ${question.id}`;
      });
    },
  },
  {
    id: 'RLP-051',
    title: 'At the end every verdict is still the same',
    rule: RULE_AGAIN,
    phase: 'LAST',
    run: async (kit, check) => {
      await settledOffers(kit);
      // One of each kind is enough, and stays within a lender's limits.
      const kinds = new Map(kit.settled.map((asked) => [asked.question.name, asked]));
      for (const asked of kinds.values()) await sameAgain(kit, check, asked);
    },
  },
]);
