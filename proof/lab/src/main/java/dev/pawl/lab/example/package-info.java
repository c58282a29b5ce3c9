/** Three uses of a queue, each a program to run and to change. docs/guides/use-cases.md explains them. */
@NullMarked
package dev.pawl.lab.example;

import org.jspecify.annotations.NullMarked;
