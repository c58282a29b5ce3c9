/** The benchmark lab. */
@NullMarked
package dev.pawl.lab;

import org.jspecify.annotations.NullMarked;
