import { type INestApplicationContext, Inject, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { BrandBook, ENVIRONMENT, type Environment } from '../platform/index.js';
import { apiDocument, type DescribedCalls, describeCalls } from './build-document.js';

/** The OpenAPI document of this deployment. */
@Injectable()
export class ApiDocument {
  private calls?: DescribedCalls;

  constructor(
    private readonly brandBook: BrandBook,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Reads the calls off the application, once, when it has been built. */
  describe(app: INestApplicationContext): void {
    this.calls = describeCalls(app);
  }

  async read(): Promise<OpenAPIObject> {
    if (!this.calls) throw new Error('describe() has not been called');
    // The operator may rename the service while it runs.
    return apiDocument(this.calls, this.environment.baseUrl, await this.brandBook.brand());
  }
}
