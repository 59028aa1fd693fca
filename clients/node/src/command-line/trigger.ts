import { randomInt } from 'node:crypto';
import type { Body } from '../operations.ts';
import { SCENARIO_BODIES, SCENARIOS } from '../scenarios.ts';
import { clientOf, keyPair, UsageError } from './terminal.ts';
import type { Terminal, Values } from './terminal.ts';

/** @throws UsageError, RinpathError, RinpathConnectionError */
export async function trigger(
  values: Values,
  terminal: Terminal,
  [name]: readonly string[],
): Promise<void> {
  const { print } = terminal;
  if (values['list'] === true) {
    const width = Math.max(...SCENARIOS.map((one) => one.name.length));
    for (const one of SCENARIOS) print(`${one.name.padEnd(width)}  ${one.happens}`);
    return;
  }
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (!scenario)
    throw new UsageError('Give the name of a scenario; rinpath trigger --list has them.');
  const { apiKey, apiSecret } = keyPair(values, terminal);
  if (/_live_/.test(apiKey + apiSecret)) {
    throw new UsageError(
      'Scenarios exist only in the sandbox: use a test key instead of a live key.',
    );
  }
  const { starts, pan, lookAt } = scenario;
  const client = clientOf(values, terminal);
  const filled = SCENARIO_BODIES[starts];
  const customer = { ...filled.customer, pan };
  // New each time: SMS to a number are limited.
  const mobile = `9${String(randomInt(1e9)).padStart(9, '0')}`;
  const body = { ...filled, mobile, customer };
  const isInstant = starts === 'INSTANT_LOAN';
  const started = isInstant
    ? await client.createInstantLoan(body)
    : await client.initiateJourney(body as Body<'initiateJourney'>);
  const { journeyId, applicationId } = started;
  const link = 'redirectUrl' in started ? started.redirectUrl : started.hostedUrl;
  print(`Started ${scenario.name}: ${scenario.happens}.`);
  print(`${journeyId}, ${applicationId}`);
  print(`The applicant’s page: ${link}`);
  print(lookAt);
  if (isInstant) print('Its events: rinpath listen --events lead.status_changed');
}
