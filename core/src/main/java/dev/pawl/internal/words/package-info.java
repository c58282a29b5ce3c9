/** What the words of the API need to know of how jobs are stored, and users do not. Belongs to the words: it knows nothing else. */
@NullMarked
package dev.pawl.internal.words;

import org.jspecify.annotations.NullMarked;
