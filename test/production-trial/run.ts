/**
 * Tries the production of docs/operators/going-live.md on one machine, with the built service. It has `MODE=production`,
 * its own PostgreSQL, a TLS proxy, and stand-ins for Razorpay and the SMS gateway. The reference lender uses a private
 * authority and requires a client certificate.
 *
 * A hosted journey and an instant loan must end `SANCTIONED`. Exits with 1 if a step fails; ends what it started.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { Applicant, within } from './applicant.ts';
import { type Addresses, filledIn, LENDER, switchedOn, template } from './configuration.ts';
import { CommandLine, type Variables } from './operator.ts';
import { newMobile, Partner } from './partner.ts';
import { Production } from './production.ts';

const WHOLE_MS = 300_000;
const PRODUCTS = ['ONLINE_INSTANT', 'ONLINE_PERSONAL'];
const SCOPES = 'products:read,journeys:write,journeys:read,instant-loans:write,leads:read';

const tell = (who: string) => (text: string) => console.log(`${who.padEnd(10)} ${text}`);
const operator = tell('operator');

async function goLive(production: Production): Promise<void> {
  const { authority, addresses } = production;
  const trusted = tls.getCACertificates('default');
  tls.setDefaultCACertificates([...trusted, readFileSync(authority.certificate, 'utf8')]);
  const environment = await production.environment();
  operator('has an authority, a database with its roles, and an environment');
  const admin = new CommandLine(environment);
  const say = (command: string) => operator(admin.run(command));
  const file = environment.CONFIG_FILE ?? '';
  writeFileSync(file, template());
  const gaps = admin.run('config check', 1).split('is not filled in').length - 1;
  operator(`gets the list of the ${gaps} gaps of the template, and fills them in`);
  const configuration = filledIn(addresses);
  writeFileSync(file, configuration);
  say('config check');
  say('config apply');
  await production.startSurroundings(environment);
  const service = await startService(production, environment);
  await production.startLender();
  say(`lenders ping ${LENDER}`);
  writeFileSync(file, switchedOn(configuration));
  say('config check');
  say('config apply');
  await lend(production, issueKey(admin));
  const errors = service.output.split('\n').filter((line) => /^\{"level":[56]0/.test(line));
  if (errors.length > 0) throw new Error(`the service logged errors:\n${errors.join('\n')}`);
  await production.stop();
}

async function startService(production: Production, environment: Variables) {
  const service = await production.start('service', 'dist/bundle/main.js', environment);
  const ready = await fetch(`http://127.0.0.1:${production.ports.operator}/health/ready`);
  if (ready.status !== 200) throw new Error(`/health/ready is ${ready.status}`);
  operator('has a service that is ready');
  return service;
}

function issueKey(admin: CommandLine) {
  const what = `--scopes ${SCOPES} --products ${PRODUCTS.join(',')}`;
  const issued = admin.run(`keys issue --partner acme --name app ${what}`);
  const shown = (name: string) => new RegExp(`^${name}\\s+(\\S+)$`, 'm').exec(issued)?.[1] ?? '';
  return { apiKey: shown('API key'), apiSecret: shown('Secret') };
}

async function lend(production: Production, key: ReturnType<typeof issueKey>): Promise<void> {
  const { baseUrl, ports, addresses } = production;
  const partner = new Partner(baseUrl, key);
  const products = await partner.products();
  if (products.toSorted().join() !== PRODUCTS.join())
    throw new Error(`products: ${products.join()}`);
  await takeHostedJourney(partner, addresses);
  await takeInstantLoan(partner, addresses);
  await checkBooks(`http://127.0.0.1:${ports.books}/books`);
}

async function takeHostedJourney(partner: Partner, addresses: Addresses): Promise<void> {
  const applicant = new Applicant(newMobile(), addresses, tell('applicant'));
  const { journeyId, hostedUrl } = await partner.startHosted(applicant.mobile);
  tell('partner')(`started the hosted journey ${journeyId}`);
  await applicant.goThroughJourney(hostedUrl);
  const state = await partner.stateOf(journeyId);
  tell('partner')(`reads that the journey is ${state}`);
  if (state !== 'SANCTIONED') throw new Error(`the journey ended ${state}`);
}

async function takeInstantLoan(partner: Partner, addresses: Addresses): Promise<void> {
  const applicant = new Applicant(newMobile(), addresses, tell('applicant'));
  const { applicationId, redirectUrl } = await partner.startInstant(applicant.mobile);
  tell('partner')(`started the instant loan ${applicationId}`);
  await applicant.payFee(redirectUrl);
  let status = '';
  await within(
    async () => {
      status = await partner.statusOf(applicationId);
      if (status !== 'SANCTIONED') await sleep(1_000);
      return status === 'SANCTIONED';
    },
    () => `the instant loan stays ${status}`,
  );
  tell('partner')(`reads that the instant loan is ${status}`);
}

async function checkBooks(address: string): Promise<void> {
  const books = (await (await fetch(address)).json()) as Record<string, unknown[]>;
  const counts = ['selections', 'steps', 'payouts', 'loans'].map((name) => books[name]?.length);
  tell('lender')(`has ${counts.join(', ')} selections, steps, payouts and loans in its books`);
  if (counts.join() !== '1,3,1,2') throw new Error('the lender’s books say something else');
}

async function tooLong(): Promise<never> {
  await sleep(WHOLE_MS, undefined, { ref: false });
  throw new Error(`the trial took longer than ${WHOLE_MS / 1_000} s`);
}

function ended(): Promise<never> {
  return new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
    }
  });
}

const production = await Production.prepare();
let code = 0;
try {
  await Promise.race([goLive(production), tooLong(), ended()]);
  console.log('\nThe trial has passed.');
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(production.output);
  code = 1;
}
await production.remove();
// Leftovers of an interrupted trial must not keep the process alive.
process.exit(code);
