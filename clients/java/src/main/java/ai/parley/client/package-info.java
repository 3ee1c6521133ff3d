/**
 * Client of a Parley suite: asks questions, follows the events of a turn over broken connections, and stores and finds
 * documents. Begin with {@link ai.parley.client.ParleyClient}.
 */
package ai.parley.client;
