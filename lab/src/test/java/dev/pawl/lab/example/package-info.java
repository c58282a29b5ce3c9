/** The examples do what they say. */
@NullMarked
package dev.pawl.lab.example;

import org.jspecify.annotations.NullMarked;
