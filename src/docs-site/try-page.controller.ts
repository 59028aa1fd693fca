import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Controller, Get, Header, Inject, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  type Asset,
  ENVIRONMENT,
  type Environment,
  Fault,
  keptAsset,
  projectPath,
  sendAsset,
} from '../platform/index.js';
import { type Brand, type DemonstrationKey, ServiceSettings } from '../settings/index.js';
import { prefilledKey } from './docs-content.js';

// Swagger UI's icons are data: addresses.
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

const HTML = 'text/html; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

interface TryPage {
  readonly displayName: string;
  /** Only the sandbox's page may call the API. */
  readonly isSandbox: boolean;
  readonly key?: DemonstrationKey;
}

/** In the sandbox, the browser signs the page's requests. */
@Controller('docs')
export class TryPageController {
  private files?: ReadonlyMap<string, Asset>;
  private page?: { readonly brand: Brand; readonly asset: Asset };

  constructor(
    private readonly settings: ServiceSettings,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Get('try')
  @Header('Content-Security-Policy', POLICY)
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const brand = await this.settings.brand();
    // Public, so rendered once per brand.
    if (this.page?.brand !== brand) {
      const html = await rendered(response, {
        displayName: brand.displayName,
        isSandbox: this.environment.mode === 'sandbox',
        key: prefilledKey(this.environment),
      });
      this.page = { brand, asset: keptAsset(HTML, Buffer.from(html)) };
    }
    await sendAsset(request, response, this.page.asset);
  }

  @Get('assets/:file')
  async asset(
    @Param('file') file: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    this.files ??= docsFiles();
    const asset = this.files.get(file);
    if (!asset) throw new Fault('route_not_found');
    await sendAsset(request, response, asset);
  }
}

function docsFiles(): Map<string, Asset> {
  const { resolve } = createRequire(import.meta.url);
  const ofSwaggerUi = (file: string) => resolve(`swagger-ui-dist/${file}`);
  const ours = (file: string) => projectPath(`views/assets/docs/${file}`);
  const files: [name: string, path: string, contentType: string][] = [
    ['swagger-ui-bundle.js', ofSwaggerUi('swagger-ui-bundle.js'), SCRIPT],
    ['swagger-ui.css', ofSwaggerUi('swagger-ui.css'), STYLE],
    ['page.css', ours('page.css'), STYLE],
    ['page.js', ours('page.js'), SCRIPT],
    ['request-signer.js', ours('request-signer.js'), SCRIPT],
  ];
  return new Map(files.map(([name, path, type]) => [name, keptAsset(type, readFileSync(path))]));
}

function rendered(response: Response, page: TryPage): Promise<string> {
  return new Promise((resolve, reject) => {
    response.render('docs/try', page, (error: Error | null, html?: string) =>
      error ? reject(error) : resolve(html ?? ''),
    );
  });
}
