import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { importJWK, type CryptoKey, type JWK } from 'jose';
import { startLenders, type LenderProcess } from '../../examples/lender/lender-process.ts';
import { REAL_WORLD } from '../../examples/lender/world.ts';
import { type Profile, readProfile } from '../../examples/lender-check/profile.ts';
import { type Outcome, runSuite } from '../../examples/lender-check/suite.ts';
import type { SigningKey } from '../../examples/lender-check/wire/detached-jws.ts';
import { ownKeys } from '../../examples/lender-check/wire/own-keys.ts';
import { freePort } from '../support/free-port.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { Middleman, type Change } from './middleman.ts';

export const CODE = 'tarangudyam';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));
const PROFILE = join(EXAMPLES, 'lender-check/profiles/reference-lender.json');
const WAIT_S = 8;
const REPLAY_AFTER_S = 6;

interface LendersFile {
  lenders: {
    code: string;
    products: Record<string, { offerValidDays: number }>;
  }[];
}

export interface StageOptions {
  readonly change?: Change;
  readonly passesUnvisitedSteps?: boolean;
  readonly atRestart?: string;
  readonly profile?: (profile: Profile) => Profile;
  readonly only?: readonly string[];
  readonly waitSeconds?: number;
}

/** Runs the suite once against the reference lender, with one fault introduced. */
export async function check(options: StageOptions = {}): Promise<Outcome> {
  const folder = scratchFolder('rinpath-lender-check-');
  const ports = {
    lender: await freePort(),
    admin: await freePort(),
    public: await freePort(),
    callback: await freePort(),
  };
  const keys = await ownKeys(null);
  const publicUrl = `http://127.0.0.1:${ports.public}`;
  const databaseFile = join(folder, 'lender.sqlite');
  const settings = {
    host: '127.0.0.1',
    port: ports.lender,
    url: publicUrl,
    adminPort: ports.admin,
    lendersFile: writeLenders(folder),
    databaseFile,
    passesUnvisitedSteps: options.passesUnvisitedSteps ?? false,
    tls: null,
    rinpathKeys: `http://127.0.0.1:${ports.callback}/.well-known/rlp-jwks.json`,
    rinpathAnswers: `${publicUrl}/rinpath/lender-api/v1`,
  };
  let lenders = await startLenders(settings, REAL_WORLD);
  const restart = async () => {
    await lenders.stop();
    changeBooks(databaseFile, options.atRestart ?? '');
    lenders = await startLenders(settings, REAL_WORLD);
  };
  const middleman = new Middleman({
    lenderUrl: `http://127.0.0.1:${ports.lender}`,
    rinpathUrl: `http://127.0.0.1:${ports.callback}`,
    publicUrl,
    rinpathKeys: keys,
    lenderKey: await lenderKey(databaseFile),
    change: options.change ?? {},
  });
  await middleman.start(ports.public);
  try {
    const profile = profileFor(lenders, options.profile);
    return await runSuite({
      url: `${publicUrl}/${CODE}`,
      jwks: `${publicUrl}/${CODE}/jwks.json`,
      ownKeys: keys,
      callbackPort: ports.callback,
      callbackHost: '127.0.0.1',
      callbackUrl: `${publicUrl}/rinpath`,
      profile,
      waitSeconds: options.waitSeconds ?? WAIT_S,
      replayAfterSeconds: REPLAY_AFTER_S,
      restart: options.atRestart === undefined ? null : restart,
      only: options.only ?? [],
      tell: () => undefined,
    });
  } finally {
    await middleman.stop();
    await lenders.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeLenders(folder: string): string {
  const shipped = join(EXAMPLES, 'lender/lenders.json');
  const content = JSON.parse(readFileSync(shipped, 'utf8')) as LendersFile;
  for (const lender of content.lenders) {
    const product = lender.products['ONLINE_SHORT_TERM'];
    if (product) product.offerValidDays = 0;
  }
  const file = join(folder, 'lenders.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

function profileFor({ adminUrl }: LenderProcess, change: StageOptions['profile']): Profile {
  const shipped = readProfile(PROFILE);
  const profile: Profile = {
    ...shipped,
    expiring: { productCode: 'ONLINE_SHORT_TERM', loanAmount: 10_000_000 },
    prompts: shipped.prompts.map(({ url, body }) => ({
      url: url.replace('http://127.0.0.1:4001', adminUrl),
      body,
    })),
    notRun: {},
  };
  return change ? change(profile) : profile;
}

function changeBooks(databaseFile: string, sql: string): void {
  const database = new DatabaseSync(databaseFile);
  database.exec(sql);
  database.close();
}

async function lenderKey(databaseFile: string): Promise<SigningKey> {
  const database = new DatabaseSync(databaseFile, { readOnly: true });
  const row = database.prepare('SELECT private_jwk FROM keys WHERE lender = ?').get(CODE) as {
    private_jwk: string;
  };
  database.close();
  const jwk = JSON.parse(row.private_jwk) as JWK;
  const { d: _private, ...publicJwk } = jwk;
  const privateKey = (await importJWK(jwk)) as CryptoKey;
  return { kid: jwk.kid ?? '', alg: jwk.alg as SigningKey['alg'], privateKey, publicJwk };
}
