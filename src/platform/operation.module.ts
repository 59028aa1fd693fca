import { Module, Controller, Get, Header, Res } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { Response } from 'express';
import { HealthController } from './health/health.controller.js';
import { Metrics } from './metrics/metrics.js';

/** For Prometheus; restrict it to the operator's network. */
@Controller('metrics')
export class MetricsController {
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
