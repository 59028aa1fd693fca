import { Post } from '@nestjs/common';
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
    about: 'Seconds to move forward. Give this or `to`.',
    example: 604_800,
  })
  advanceSeconds?: number;

  @InstantField({
    optional: true,
    about:
      'The new time, later than the sandbox’s time. A repeat within five minutes moves no further.',
    example: '2026-02-07T15:30:00+05:30',
  })
  to?: string;
}

class SandboxTimeView {
  @ShownTime('The sandbox’s time before the call.')
  from: string;

  @ShownTime('The sandbox’s time now.')
  now: string;

  @ShownFlag('False if due work remains: call again with the same `to`.')
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
    throw validationFault([{ field: 'advanceSeconds', message: 'give either this or to' }]);
  }
  return (now) => {
    const moment =
      to === undefined ? now + advanceSeconds! * 1_000 : parseIsoInstant(to)!.getTime();
    const field = to === undefined ? 'advanceSeconds' : 'to';
    if (moment > realNow + MAX_AHEAD_DAYS * DAY_MS) {
      const message = `is more than ${MAX_AHEAD_DAYS} days ahead; start a new sandbox`;
      throw validationFault([{ field, message }]);
    }
    if (moment < now - RETRIED_WITHIN_MS) {
      throw validationFault([
        { field, message: 'is in the past; the sandbox’s time only moves forward' },
      ]);
    }
    return moment;
  };
}

const EXAMPLES = {
  week: { summary: 'By seven days', value: { advanceSeconds: 604_800 } },
  moment: { summary: 'To a moment', value: { to: '2026-02-07T15:30:00+05:30' } },
};

const MoveSandboxTimeCall = PartnerCall({
  operationId: 'moveSandboxTime',
  summary: 'Move the sandbox’s time',
  description:
    'Moves time forward and runs everything that becomes due until then, in order: expired links and ' +
    'offers, abandoned journeys, cancelled payments, webhook retries. It responds when ' +
    'all of it is done. All partners of a sandbox share one time. Signatures use the real time: your ' +
    '`x-timestamp`, our `webhook-timestamp` and `Date`. After time was moved, responses have ' +
    '`X-Sandbox-Time`. Production answers 404.',
  answer: SandboxTimeView,
  body: { type: SandboxTimeBody, examples: EXAMPLES },
  failures: ['time_travel_in_progress'],
});

/** In the sandbox only. */
@PartnerApi('sandbox/time')
export class SandboxTimeController {
  constructor(
    private readonly travel: TimeTravel,
    private readonly machine: SystemClock,
  ) {}

  @MoveSandboxTimeCall
  @Post()
  @Scoped('sandbox:travel')
  async move(@ValidBody(SandboxTimeBody) body: SandboxTimeBody): Promise<SandboxTimeView> {
    const target = readSandboxTime(body, this.machine.now().getTime());
    const { from, now, hasArrived } = await this.travel.travel(target);
    return { from: from.toISOString(), now: now.toISOString(), hasArrived };
  }
}
