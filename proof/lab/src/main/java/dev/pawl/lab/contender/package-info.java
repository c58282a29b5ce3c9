/** The measured systems: Pawl's strategies, the study's designs, handwritten queues, and the peers. */
@NullMarked
package dev.pawl.lab.contender;

import org.jspecify.annotations.NullMarked;
