import { Controller, Get, Header, Module, Res } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import {
  HealthCheck,
  type HealthCheckResult,
  HealthCheckService,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';
import type { Response } from 'express';
import { ClockDifference, IF_EVERY_REPLICA } from '../clock/clock-difference.js';
import { Database } from '../database/database.js';
import type { HttpAdapter } from '../http/bounded-server.js';
import { Metrics } from '../metrics/metrics.js';

export abstract class AppliedConfiguration {
  abstract isApplied(withinMs: number): Promise<boolean>;
}

const READY_MS = 2_000;

@Controller('health')
class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly database: Database,
    private readonly configuration: AppliedConfiguration,
    private readonly clock: ClockDifference,
    private readonly host: HttpAdapterHost<HttpAdapter>,
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
        return (await this.database.isThere(READY_MS))
          ? indicator.up()
          : indicator.down('The database does not answer, or accepts no writes');
      },
      // A wrong address may lead to an empty database, which would answer every call with 401.
      async () => {
        const indicator = this.indicators.check('configuration');
        return (await this.configuration.isApplied(READY_MS))
          ? indicator.up()
          : indicator.down('No configuration is applied to this database');
      },
      () => {
        const indicator = this.indicators.check('clock');
        return this.clock.isUnfit
          ? indicator.down(`This replica's clock is ${this.clock.description}. ${IF_EVERY_REPLICA}`)
          : indicator.up();
      },
      // OPERATOR_PORT answers the balancer longer than PORT takes connections.
      () => {
        const indicator = this.indicators.check('shutdown');
        return this.host.httpAdapter.connections.isDraining
          ? indicator.down('The process is shutting down')
          : indicator.up();
      },
    ]);
  }
}

/** Restrict access to the operator's network. */
@Controller('metrics')
class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async show(@Res() response: Response): Promise<void> {
    response.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
  }
}

@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
})
export class OperationModule {}
