import { createRequire } from 'node:module';
import { Controller, Get, Header, Inject, Param, Render, Res } from '@nestjs/common';
import type { Response } from 'express';
import { BrandBook, ENVIRONMENT, type Environment, Fault } from '../platform/index.js';
import { type DemonstrationKey, demonstrationKey } from './demonstration-key.js';

// Swagger UI draws its icons from data: addresses; everything else comes from here.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** What the page takes of Swagger UI, and nothing else of its package. */
const SWAGGER_UI_FILES = new Set(['swagger-ui-bundle.js', 'swagger-ui.css']);

interface DocsPage {
  readonly displayName: string;
  /** Whether the page may call the API: in the sandbox alone. */
  readonly isSandbox: boolean;
  /** Prefilled on a developer's own machine; what it holds is openly written in the repository. */
  readonly key?: DemonstrationKey;
}

/** A page to read the API document and, in the sandbox, to call the API with signed requests. */
@Controller('docs')
export class DocsPageController {
  private readonly resolve = createRequire(import.meta.url).resolve;

  constructor(
    private readonly brandBook: BrandBook,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get()
  @Header('Content-Security-Policy', POLICY)
  @Render('docs')
  async show(): Promise<DocsPage> {
    const { displayName } = await this.brandBook.brand();
    const isSandbox = this.environment.mode === 'sandbox';
    const isPrefilled = isSandbox && this.environment.isLoopback;
    const key = isPrefilled ? demonstrationKey(this.environment.configFile) : undefined;
    return { displayName, isSandbox, ...(key && { key }) };
  }

  @Get('swagger-ui/:file')
  asset(@Param('file') file: string, @Res() response: Response): void {
    if (!SWAGGER_UI_FILES.has(file)) throw new Fault('route_not_found');
    response.sendFile(this.resolve(`swagger-ui-dist/${file}`), {
      maxAge: '1h',
      // The project may stand below a folder whose name begins with a dot.
      dotfiles: 'allow',
    });
  }
}
