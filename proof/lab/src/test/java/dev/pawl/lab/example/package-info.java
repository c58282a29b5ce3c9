/** The examples behave as documented. */
@NullMarked
package dev.pawl.lab.example;

import org.jspecify.annotations.NullMarked;
