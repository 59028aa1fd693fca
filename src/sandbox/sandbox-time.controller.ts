import { HttpCode, Post } from '@nestjs/common';
import { Scoped } from '../auth/index.js';
import {
  AtLeastOne,
  CountField,
  InstantField,
  parseIsoInstant,
  PartnerApi,
  PartnerCall,
  ShownFlag,
  ShownTime,
  SystemClock,
  validationFault,
  ValidBody,
} from '../platform/index.js';
import { TimeTravel } from './time-travel.js';

const DAY_MS = 86_400_000;
/** Days ahead of the machine's time. */
const MAX_AHEAD_DAYS = 730;
/** An earlier call may already have reached a time that passed this recently. */
const RETRIED_WITHIN_MS = 300_000;

@AtLeastOne('advanceSeconds', 'to')
class SandboxTimeBody {
  @CountField({
    most: MAX_AHEAD_DAYS * 86_400,
    optional: true,
    about: 'By how many seconds. Give this or `to`.',
    example: 604_800,
  })
  advanceSeconds?: number;

  @InstantField({
    optional: true,
    about:
      'To which moment, later than the sandbox’s time. Sent again within five minutes of it, it moves no further.',
    example: '2026-02-07T15:30:00+05:30',
  })
  to?: string;
}

class SandboxTimeView {
  @ShownTime('What time the sandbox had before.')
  from: string;

  @ShownTime('What time it has now.')
  now: string;

  @ShownFlag(
    'False when there was more to do than one call has time for: call again with the same `to`.',
  )
  hasArrived: boolean;
}

/**
 * Returns the target as a function of the sandbox's time, in Unix milliseconds.
 * @param realNow the machine's time
 * @throws Fault validation_failed for a time that has passed or is too far ahead
 */
export function readSandboxTime(
  { advanceSeconds, to }: SandboxTimeBody,
  realNow: number,
): (now: number) => number {
  if ((advanceSeconds === undefined) === (to === undefined)) {
    throw validationFault([{ field: 'advanceSeconds', message: 'give this or to, and not both' }]);
  }
  return (now) => {
    const moment =
      to === undefined ? now + advanceSeconds! * 1_000 : parseIsoInstant(to)!.getTime();
    const field = to === undefined ? 'advanceSeconds' : 'to';
    if (moment > realNow + MAX_AHEAD_DAYS * DAY_MS) {
      const message = `leads further than ${MAX_AHEAD_DAYS} days ahead; start a fresh sandbox`;
      throw validationFault([{ field, message }]);
    }
    if (moment < now - RETRIED_WITHIN_MS) {
      throw validationFault([
        { field, message: 'has passed; the sandbox’s time moves forward only' },
      ]);
    }
    return moment;
  };
}

const MoveSandboxTimeCall = () =>
  PartnerCall({
    operationId: 'moveSandboxTime',
    summary: 'Move the sandbox’s time',
    description:
      'Moves time forward, never back, and has everything happen that falls due until then, in its order: links and ' +
      'offers that run out, journeys that are abandoned, payments that are called off, webhooks’ retries. It answers when ' +
      'all that is done. A sandbox has one time for all of its partners. What is signed keeps to the real time: your ' +
      '`x-timestamp`, our `webhook-timestamp` and `Date`. Answers of a sandbox whose time was moved say it in ' +
      '`X-Sandbox-Time`. In production there is nothing at this address.',
    answer: SandboxTimeView,
    body: { type: SandboxTimeBody, examples: EXAMPLES },
    failures: ['time_travel_in_progress'],
  });

const EXAMPLES = {
  week: { summary: 'By seven days', value: { advanceSeconds: 604_800 } },
  moment: { summary: 'To a moment', value: { to: '2026-02-07T15:30:00+05:30' } },
};

/** In the sandbox only. */
@PartnerApi('sandbox/time')
export class SandboxTimeController {
  constructor(
    private readonly travel: TimeTravel,
    private readonly machine: SystemClock,
  ) {}

  @MoveSandboxTimeCall()
  @Post()
  @HttpCode(200)
  @Scoped('sandbox:travel')
  async move(@ValidBody(SandboxTimeBody) body: SandboxTimeBody): Promise<SandboxTimeView> {
    const target = readSandboxTime(body, this.machine.now().getTime());
    const { from, now, hasArrived } = await this.travel.travel(target);
    return { from: from.toISOString(), now: now.toISOString(), hasArrived };
  }
}
