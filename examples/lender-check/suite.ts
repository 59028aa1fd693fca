import type { Case, CaseResult, CaseStatus, Phase } from './case.ts';
import { NotRun } from './case.ts';
import { CASES } from './cases/index.ts';
import { Checks } from './checks.ts';
import { ApplicantPages } from './loan/applicant-pages.ts';
import { Kit } from './loan/kit.ts';
import type { Profile } from './profile.ts';
import { CallbackReceiver } from './wire/callback-receiver.ts';
import type { SigningKey } from './wire/detached-jws.ts';
import { LenderClient } from './wire/lender-client.ts';
import { LenderKeys } from './wire/lender-keys.ts';
import { Messages } from './wire/messages.ts';

export interface SuiteOptions {
  /** The lender's base address. */
  readonly url: string;
  /** The lender's JWKS: an address or a file. */
  readonly jwks: string;
  readonly ownKeys: readonly SigningKey[];
  readonly callbackPort: number;
  readonly callbackHost: string;
  readonly callbackUrl: string | null;
  readonly profile: Profile;
  readonly waitSeconds: number;
  /** Seconds after which a signed message is sent again. */
  readonly replayAfterSeconds: number;
  /** Restarts the lender; null: its cases are not run. */
  readonly restart: (() => Promise<void>) | null;
  /** Case numbers to run; empty: all. */
  readonly only: readonly string[];
  readonly tell: (text: string) => void;
  /** Called with each result during the run. */
  readonly onResult?: (result: CaseResult) => void;
}

export interface Outcome {
  readonly url: string;
  readonly profile: string;
  readonly startedAt: Date;
  readonly seconds: number;
  readonly results: readonly CaseResult[];
  /** Cases that were not run although the profile gives no reason. */
  readonly unexplained: readonly CaseResult[];
}

/** Shared by all runs: compiling the document costs more than validating with it. */
const MESSAGES = new Messages();

/** @throws Error for an unknown case, or a port in use */
export async function runSuite(options: SuiteOptions): Promise<Outcome> {
  const cases = selectCases(options.only);
  const startedAt = new Date();
  const lenderKeys = new LenderKeys(options.jwks);
  const receiver = await startReceiver(options, lenderKeys);
  try {
    const kit = makeKit(options, lenderKeys, receiver);
    const results = await runAll(kit, cases, options.onResult);
    const known = options.profile.notRun;
    return {
      url: options.url,
      profile: options.profile.name,
      startedAt,
      seconds: (Date.now() - startedAt.getTime()) / 1000,
      results: results.toSorted((one, other) => one.id.localeCompare(other.id)),
      unexplained: results.filter(({ status, id }) => status === 'NOT_RUN' && !(id in known)),
    };
  } finally {
    await receiver.stop();
  }
}

function selectCases(only: readonly string[]): readonly Case[] {
  for (const id of only) {
    if (!CASES.some((one) => one.id === id)) throw new Error(`There is no case ${id}.`);
  }
  return only.length === 0 ? CASES : CASES.filter(({ id }) => only.includes(id));
}

async function startReceiver(
  options: SuiteOptions,
  lenderKeys: LenderKeys,
): Promise<CallbackReceiver> {
  const { callbackPort: port, callbackHost: host, callbackUrl: publicUrl, ownKeys: keys } = options;
  const receiver = new CallbackReceiver({ port, host, publicUrl, keys, lenderKeys });
  // The first messages are refused once, to test the lender's retries.
  receiver.tryOut('UNAVAILABLE');
  receiver.tryOut('UNSIGNED_RECEIPT');
  await receiver.start();
  options.tell(`Our keys are at ${receiver.url}/.well-known/rlp-jwks.json`);
  options.tell(`Callbacks go to ${receiver.url}/lender-api/v1/${options.profile.code}`);
  return receiver;
}

function makeKit(
  { url, ownKeys, profile, waitSeconds, replayAfterSeconds, restart, tell }: SuiteOptions,
  lenderKeys: LenderKeys,
  receiver: CallbackReceiver,
): Kit {
  const [signer] = ownKeys;
  if (!signer) throw new Error('There is no signing key.');
  const { returned } = receiver;
  const pages = new ApplicantPages({ choices: profile.pages, returned, waitSeconds, tell });
  const client = new LenderClient(url, signer, lenderKeys);
  const parts = {
    client,
    messages: MESSAGES,
    receiver,
    ownKeys,
    lenderKeys,
    profile,
    pages,
    waitSeconds,
    replayAfterSeconds,
    restart,
  };
  return new Kit(parts);
}

async function runAll(
  kit: Kit,
  cases: readonly Case[],
  onResult: SuiteOptions['onResult'],
): Promise<readonly CaseResult[]> {
  await kit.parts.lenderKeys.read().catch(() => undefined);
  const results: CaseResult[] = [];
  const run = async (one: Case) => {
    const result = await runCase(kit, one);
    results.push(result);
    onResult?.(result);
  };
  const inPhase = (phase: Phase) => cases.filter((one) => one.phase === phase);
  const beside = Promise.all(inPhase('BESIDE').map(run));
  for (const one of [...inPhase('USUAL'), ...inPhase('LAST')]) await run(one);
  await beside;
  for (const one of inPhase('RESTART')) await run(one);
  return results;
}

async function runCase(kit: Kit, { id, group, title, rule, run }: Case): Promise<CaseResult> {
  const check = new Checks();
  const begun = performance.now();
  let why: string | null = null;
  try {
    await run(kit, check);
  } catch (error) {
    if (error instanceof NotRun) why = kit.profile.notRun[id] ?? error.message;
    else {
      const seen = error instanceof Error ? error.message : 'something else';
      check.that(false, 'a readable answer', seen);
    }
  }
  const { findings } = check;
  if (why === null && findings.length === 0) why = 'there was nothing to check';
  const seconds = (performance.now() - begun) / 1000;
  return { id, group, title, rule, status: statusOf(check, why), findings, why, seconds };
}

/** A failed finding fails the case, even if the rest could not run. */
function statusOf({ findings }: Checks, why: string | null): CaseStatus {
  if (findings.some(({ holds }) => !holds)) return 'FAILED';
  return why === null ? 'PASSED' : 'NOT_RUN';
}
