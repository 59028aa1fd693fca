import { Module, Controller, Get, Header, Res } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { Response } from 'express';
import { HealthController } from './health/health.controller.js';
import { Metrics } from './metrics/metrics.js';

/** For Prometheus; to be reached by the operator's own network alone. */
@Controller('metrics')
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async show(@Res() response: Response): Promise<void> {
    response.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
  }
}

/** What the operator's tools ask of a running service. */
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController, MetricsController],
})
export class OperationModule {}
