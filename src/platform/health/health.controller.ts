import { Controller, Get } from '@nestjs/common';
import {
  HealthCheck,
  type HealthCheckResult,
  HealthCheckService,
  HealthIndicatorService,
} from '@nestjs/terminus';
import { Database } from '../database/database.js';

/** A balancer asks every few seconds and does not wait for long. */
const READY_MS = 2_000;

/** For the balancer: whether the process lives, and whether it can serve. */
@Controller('health')
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @HealthCheck()
  ready(): Promise<HealthCheckResult> {
    return this.checks.check([
      async () => {
        const indicator = this.indicators.check('database');
        return (await this.database.isThere(READY_MS)) ? indicator.up() : indicator.down();
      },
    ]);
  }
}
