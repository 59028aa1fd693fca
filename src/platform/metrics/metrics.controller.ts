import { Controller, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Metrics } from './metrics.js';

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
