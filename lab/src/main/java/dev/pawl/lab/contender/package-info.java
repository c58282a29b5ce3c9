/** What is measured: Pawl's strategies, the study's designs, queues by hand, and the peers. */
@NullMarked
package dev.pawl.lab.contender;

import org.jspecify.annotations.NullMarked;
