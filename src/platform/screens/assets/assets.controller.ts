import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Fault } from '../../errors/fault.js';
import { type Asset, Assets, sendAsset } from './assets.js';
import { BrandAssets } from './brand-assets.js';

// An SVG may hold scripts; none runs, even when opened as a page.
const DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

@Controller('assets')
export class AssetsController {
  constructor(
    private readonly assets: Assets,
    private readonly brand: BrandAssets,
  ) {}

  @Get('brand.css')
  async style(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendAsset(request, response, found(await this.brand.asset('style')));
  }

  @Get('brand-logo')
  async logo(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendDrawing(request, response, await this.brand.asset('logo'));
  }

  @Get('brand-icon')
  async icon(@Req() request: Request, @Res() response: Response): Promise<void> {
    await sendDrawing(request, response, await this.brand.asset('icon'));
  }

  @Get(':file')
  async file(
    @Param('file') file: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendAsset(request, response, found(this.assets.find(file)));
  }
}

function sendDrawing(request: Request, response: Response, drawing: Asset | null): Promise<void> {
  const asset = found(drawing);
  response.setHeader('Content-Security-Policy', DRAWING_POLICY);
  return sendAsset(request, response, asset);
}

function found(asset: Asset | null | undefined): Asset {
  if (!asset) throw new Fault('route_not_found');
  return asset;
}
