import { randomInt } from 'node:crypto';
import type { RinpathClient } from '../client.ts';
import type { Body } from '../operations.ts';
import { SCENARIO_BODIES, SCENARIOS } from '../scenarios.ts';
import { clientOf, keyPair, UsageError } from './terminal.ts';
import type { Terminal, Values } from './terminal.ts';

type Scenario = (typeof SCENARIOS)[number];

/** @throws RinpathError, RinpathConnectionError */
export async function startScenario(client: RinpathClient, { starts, pan }: Scenario) {
  const filled = SCENARIO_BODIES[starts];
  const customer = { ...filled.customer, pan };
  // New each time: SMS to a number are limited.
  const mobile = `9${String(randomInt(1e9)).padStart(9, '0')}`;
  const body = { ...filled, mobile, customer };
  const started =
    starts === 'INSTANT_LOAN'
      ? await client.createInstantLoan(body)
      : await client.initiateJourney(body as Body<'initiateJourney'>);
  const { journeyId, applicationId } = started;
  const link = 'redirectUrl' in started ? started.redirectUrl : started.hostedUrl;
  return { journeyId, applicationId, link };
}

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
  const client = clientOf(values, terminal);
  const { journeyId, applicationId, link } = await startScenario(client, scenario);
  print(`Started ${scenario.name}: ${scenario.happens}.`);
  print(`${journeyId}, ${applicationId}`);
  print(`The applicant’s page: ${link}`);
  print(scenario.lookAt);
  if (scenario.starts === 'INSTANT_LOAN')
    print('Its events: rinpath listen --events lead.status_changed');
}
