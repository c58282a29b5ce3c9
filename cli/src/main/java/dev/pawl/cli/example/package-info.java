/** Small complete programs: {@code pawl example} runs them and shows their sources. */
@NullMarked
package dev.pawl.cli.example;

import org.jspecify.annotations.NullMarked;
