/** @param {string} text */
exports.slug = (text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
