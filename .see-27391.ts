
export { Templates } from '/work/wt/p-steps/src/platform/screens/templates.js';
export { screenHelpers } from '/work/wt/p-steps/src/platform/screens/screen-helpers.js';
export { Assets } from '/work/wt/p-steps/src/platform/screens/assets/assets.js';
export { brandSheet } from '/work/wt/p-steps/src/platform/screens/assets/brand-sheet.js';
export { translate } from '/work/wt/p-steps/src/platform/screens/catalogue.js';
export { browserFonts } from '/work/wt/p-steps/test/support/browser-fonts.ts';
export * as page from '/work/wt/notes/see/steps-money-gold.ts';
