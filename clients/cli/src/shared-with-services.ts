// SPDX-License-Identifier: Apache-2.0
/**
 * What commands share with the services; commands import it when they run, since it takes longer to load than most commands take. They import it from here,
 * and not the whole package: of a package that is imported at run time, a bundle loads each module, also those that it keeps in the file of a thread, which would run.
 */
export { openSecretFile, SHOW_SETTINGS_FLAG } from '@sextant/foundation-service';
