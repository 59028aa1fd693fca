import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  enteredIn,
  Fault,
  FormPost,
  type Page,
  SeeOther,
  SystemClock,
  validationFault,
} from '../../platform/index.js';
import { readSandboxTime, SandboxTime, SCENARIOS, TimeTravel } from '../../sandbox/index.js';
import { StartScenario } from '../scenarios/start-scenario.js';
import { NeedsWorkbenchScope, SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import {
  address,
  choice,
  dateTimeField,
  readDateTimeField,
  stamp,
  workbenchPage,
} from './workbench-page.js';

const PAGE = '/workbench/sandbox';
const DAY_MS = 86_400_000;
const HOUR = 3_600;

const SPANS = [
  { seconds: HOUR, label: 'One hour', lookAt: 'A webhook’s first retries.' },
  { seconds: 24 * HOUR, label: 'One day', lookAt: 'Offers and links expire.' },
  {
    seconds: 72 * HOUR,
    label: '72 hours',
    lookAt: 'An unpaid instant loan expires; a webhook’s last retry.',
  },
  {
    seconds: 7 * 24 * HOUR,
    label: 'Seven days',
    lookAt: 'An inactive journey is abandoned.',
  },
] as const;

const SHOWN_SCENARIOS = SCENARIOS.map(({ name, starts, pan, happens }) => ({
  name,
  pan,
  happens,
  title: sentence(happens),
  kind: sentence(starts.toLowerCase().replace('_', ' ')),
  isInstant: starts === 'INSTANT_LOAN',
}));

/** `eSign` keeps its letters. */
function sentence(text: string): string {
  return /^[a-z][A-Z]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

const MOVED = ['all', 'part'] as const;

/** In the sandbox only. */
@Controller('workbench/sandbox')
@SignedIn
export class WorkbenchSandboxController {
  constructor(
    private readonly time: SandboxTime,
    private readonly timeTravel: TimeTravel,
    private readonly machine: SystemClock,
    private readonly starting: StartScenario,
  ) {}

  @Get()
  show(@Visitor() visitor: WorkbenchVisitor, @Query() query: Record<string, unknown>): Page {
    const now = this.time.now();
    const moved = choice(query, 'moved', MOVED);
    return workbenchPage(visitor, 'sandbox', 'sandbox', {
      title: 'Sandbox',
      time: now,
      now: stamp(now),
      spans: SPANS,
      mayTravel: visitor.scopes.includes('sandbox:travel'),
      to: dateTimeField(new Date(now.getTime() + DAY_MS)),
      scenarios: SHOWN_SCENARIOS,
      mayStart: visitor.scopes.includes('journeys:write'),
      mayStartInstant: visitor.scopes.includes('instant-loans:write'),
      isMoved: moved === 'all',
      isMovedInPart: moved === 'part',
    });
  }

  /** Addresses of forms. */
  @Get(['time', 'scenarios/:name'])
  posted(): SeeOther {
    return new SeeOther(PAGE);
  }

  /** `seconds` from a button, or `to` from the field. */
  @FormPost('time')
  @NeedsWorkbenchScope('sandbox:travel')
  async move(@Req() request: Request): Promise<SeeOther> {
    const body = readMove(enteredIn(request), this.time.now());
    const target = readSandboxTime(body, this.machine.now().getTime());
    const { hasArrived } = await this.timeTravel.travel(target);
    return new SeeOther(address(PAGE, { moved: hasArrived ? 'all' : 'part' }));
  }

  /** Shows the applicant's link once; none of our addresses contains it. */
  @FormPost('scenarios/:name')
  async start(@Visitor() visitor: WorkbenchVisitor, @Param('name') name: string): Promise<Page> {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (!scenario) throw new Fault('route_not_found');
    const started = await this.starting.start(visitor, scenario);
    return workbenchPage(visitor, 'sandbox', 'scenario', {
      title: `Started: ${scenario.happens}`,
      scenario,
      started,
    });
  }
}

/** @throws Fault validation_failed */
function readMove(
  { seconds = '', to = '' }: Readonly<Record<string, string | undefined>>,
  now: Date,
): { advanceSeconds: number } | { to: string } {
  const span = SPANS.find((one) => String(one.seconds) === seconds);
  if (span) return { advanceSeconds: span.seconds };
  const moment = readDateTimeField(to);
  if (!moment || moment <= now) {
    throw validationFault([{ field: 'to', message: 'must be later than the sandbox’s time' }]);
  }
  return { to: moment.toISOString() };
}
