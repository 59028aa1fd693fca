import { HttpCode, Post } from '@nestjs/common';
import { Scoped } from '../auth/index.js';
import { PartnerApi, SystemClock, ValidBody } from '../platform/index.js';
import {
  MoveSandboxTimeCall,
  readSandboxTime,
  SandboxTimeBody,
  type SandboxTimeView,
} from './sandbox-time.api.js';
import { TimeTravel } from './time-travel.js';

/** Time for a partner's tests. Mounted in the sandbox alone. */
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
